// node scripts/check/run.mjs TOOL [arguments]: installs this package where it is not, and runs one of its tools in the project's folder.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../install-package.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
installPackage(folder);
const [tool, ...args] = process.argv.slice(2);
const { status } = spawnSync(tool, args, {
  cwd: dirname(dirname(folder)),
  env: { ...process.env, PATH: `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env.PATH}` },
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
