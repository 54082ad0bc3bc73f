import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// One file of this package renders the API reference. As a dependency it would bring 184 more packages, 290 MB.
const name = '@scalar/api-reference@1.72.1';
const path = 'package/dist/browser/standalone.js';
const sha256 = 'bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c';

const hasDigest = (file) =>
  existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === sha256;

/** Takes the renderer out of its package in the npm registry, or in npm's cache, unless `file` has it already. */
export function fetchRenderer(file) {
  if (hasDigest(file)) return;
  const folder = mkdtempSync(join(tmpdir(), 'vaga-renderer-'));
  const run = (command, ...args) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  try {
    const { stdout, stderr } = run('npm', 'pack', name, '--prefer-offline', '--ignore-scripts', '--silent');
    run('tar', '-xzf', stdout.trim(), path);
    if (!hasDigest(join(folder, path))) throw new Error(`${name} could not be fetched. ${stderr}`);
    writeFileSync(file, readFileSync(join(folder, path)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
