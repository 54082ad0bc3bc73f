import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { whole } from './fault.ts';
import type { Seen } from './history.ts';
import { contradictions } from './model.ts';

export interface CheckedHistory {
  readonly figures: string;
  /** If it is broken, its name has the reasons and the file of the history. */
  readonly promise: Readonly<Record<string, boolean>>;
}

/** Writes a history to a file and checks it. The file stays if an answer is wrong, because a person may have to find out why. */
export async function checkHistory(seen: readonly Seen[]): Promise<CheckedHistory> {
  const file = join(await mkdtemp(join(tmpdir(), 'vaga-history-')), 'requests.jsonl');
  await writeFile(file, seen.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const started = performance.now();
  const { objects, found } = contradictions(seen);
  const ms = performance.now() - started;
  const failed = seen.filter(({ status }) => status === 500).map(({ path }) => `${path} got 500`);
  const wrong = [...found, ...failed];
  if (wrong.length === 0) await rm(dirname(file), { recursive: true });
  const reasons = wrong.length === 0 ? '' : `: ${wrong.slice(0, 5).join(', ')}; see ${file}`;
  return {
    figures: `${whole(seen.length)} requests to ${whole(objects)} jobs and keys checked in ${whole(ms)} ms`,
    promise: { [`the answers have one order${reasons}`]: wrong.length === 0 },
  };
}
