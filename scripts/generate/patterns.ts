import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ContractError, type JsonObject, objectsIn } from './document.ts';

/** The part of `recheck` that is used. */
interface Recheck {
  check(
    pattern: string,
    flags: string,
    options: { timeout: number; incubationTimeout: null; attackTimeout: null },
  ): Promise<{ readonly status: 'safe' | 'vulnerable' | 'unknown'; readonly attack?: { readonly pattern: string } }>;
}

// Only the whole check has a time limit. Its parts are limited by steps: with a time limit, a harmless pattern would fail on a busy machine.
const options = { timeout: 20_000, incubationTimeout: null, attackTimeout: null };

/**
 * Throws a ContractError for a pattern that the last contract lacks and that may take more than linear time on some text, because one request
 * could block the process. `npm run patterns` checks all patterns.
 */
export async function checkPatterns(document: JsonObject, last: JsonObject = {}): Promise<void> {
  const known = new Set(patternsIn(last).map(([pattern]) => pattern));
  for (const [pattern, path] of patternsIn(document)) {
    if (known.has(pattern)) continue;
    const { status, attack } = await (await recheck()).check(pattern, 'u', options);
    const slow = attack
      ? `takes more than linear time on ${attack.pattern.slice(0, 80)}`
      : 'may take more than linear time';
    if (status !== 'safe') throw new ContractError(path, `${slow}; write one that can match a text in one way only`);
    known.add(pattern);
  }
}

const patternsIn = (document: JsonObject): [pattern: string, path: readonly string[]][] =>
  [...objectsIn(document, [])].flatMap(([{ pattern }, path]) =>
    typeof pattern === 'string' ? [[pattern, [...path, 'pattern']]] : [],
  );

/** Imports `recheck`, which is installed on first use together with the linters. */
async function recheck(): Promise<Recheck> {
  const { resolve } = createRequire(join(packageRoot, 'scripts/check/package.json'));
  try {
    return await import(resolve('recheck'));
  } catch {
    const install = ['scripts/with-packages.mjs', 'scripts/check', process.execPath, '--version'];
    spawnSync(process.execPath, install, { cwd: packageRoot, stdio: ['ignore', 'ignore', 'inherit'] });
    return import(resolve('recheck'));
  }
}
