import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Installs the packages of a folder with its own package.json, unless they are there and as new as its lock file. */
export function installPackage(folder) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  const lockFile = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return;
  console.error(`Installing the packages of ${relative('', folder)}.`);
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
