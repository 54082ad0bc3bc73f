// node scripts/with-packages.mjs FOLDER TOOL [arguments]: installs the packages of a folder that has its own package.json, unless they are
// newer than its lock file, and runs one of their tools (or of the project's) in the project's folder.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const [folder = '', tool = '', ...args] = process.argv.slice(2);
const options = { stdio: 'inherit', shell: process.platform === 'win32' };
const installed = join(folder, 'node_modules', '.package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(join(folder, 'package-lock.json')).mtimeMs) {
  console.error(`Installing the packages of ${folder}.`);
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}
const PATH = [resolve(folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
process.exitCode = spawnSync(tool, args, { ...options, env: { ...process.env, PATH } }).status ?? 1;
