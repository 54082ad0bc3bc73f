// node scripts/bench/run.mjs [options]: builds the service, installs this package where it is not, compiles it beside the service, and
// runs main.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from '../build.mjs';
import { installPackage } from '../install-package.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(folder));
const compiled = join(root, 'dist', 'scripts', 'bench');

build(true);
installPackage(folder);
const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// So that the compiled programs find this package's packages.
if (!existsSync(join(compiled, 'node_modules')))
  symlinkSync(relative(compiled, join(folder, 'node_modules')), join(compiled, 'node_modules'), 'junction');
await import(pathToFileURL(join(compiled, 'main.js')).href);
