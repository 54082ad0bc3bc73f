import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The package's browser scripts render the API reference. As a dependency, the package would bring 184 more packages, 290 MB.
const name = '@scalar/api-reference';
const version = '1.72.1';
const integrity = 'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==';

/** Extracts the renderer's scripts from its package (in the npm registry or npm's cache) to `folder`/VERSION, unless they are there. */
export function fetchRenderer(folder) {
  const target = join(folder, version);
  if (existsSync(target)) return;
  const cwd = mkdtempSync(join(tmpdir(), 'vaga-renderer-'));
  const run = (command, ...args) =>
    spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  try {
    const packing = run('npm', 'pack', `${name}@${version}`, '--prefer-offline', '--ignore-scripts', '--silent');
    const file = packing.stdout.trim();
    const digest =
      file &&
      createHash('sha512')
        .update(readFileSync(join(cwd, file)))
        .digest('base64');
    if (integrity !== `sha512-${digest}`) throw new Error(`${name}@${version} could not be fetched. ${packing.stderr}`);
    run('tar', '-xzf', file, 'package/dist/browser');
    // First into a folder beside the target, so that an interrupted build leaves no partial copy.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const isNeeded = (path) => !/[.]map$|standalone[.]js$/.test(path);
    cpSync(join(cwd, 'package/dist/browser'), `${target}.new`, { recursive: true, filter: isNeeded });
    renameSync(`${target}.new`, target);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
