// node scripts/bench/run.mjs NAME [options]: builds the service, installs this package where it is not, compiles it beside the
// service, and runs the bench of that name.
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from '../build.mjs';
import { installPackage } from '../install-package.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(folder));
const compiled = join(root, 'dist', 'scripts', 'bench');

function run(program, ...args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

build(true);
installPackage(folder);
run(process.execPath, join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc'), '-p', folder);
// So that the compiled programs find this package's packages.
if (!existsSync(join(compiled, 'node_modules')))
  symlinkSync(relative(compiled, join(folder, 'node_modules')), join(compiled, 'node_modules'), 'junction');

const [name] = process.argv.splice(2, 1);
await import(pathToFileURL(join(compiled, `${name}.js`)).href);
