import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A new temporary folder, removed after all tests. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vaga-test-'));
  folders.push(folder);
  return folder;
}

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
