import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import type { Bench, Settings } from './bench.ts';
import * as html from './html.ts';
import * as mix from './mix.ts';
import * as operations from './operations.ts';
import * as overload from './overload.ts';
import * as scale from './scale.ts';

const benches: Readonly<Record<string, Bench>> = { operations, mix, html, overload, scale };
const usage = `npm run bench -- [--BENCH] [options]

${Object.entries(benches)
  .map(([name, { about }]) => `  --${name.padEnd(12)}${about}`)
  .join('\n')}
  --all         all of them, whose tables replace those of RESULTS.md

Options, with the defaults of each bench:
  --rounds N --seconds N --connections N (mix: several times) --jobs N --posts N
  --against DIR  a built checkout to compare with; may be given several times (mix)

They use the PostgreSQL of DATABASE_URL or of 127.0.0.1:5432, in databases of their own, and the Redis of REDIS_URL.`;

const text = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
const { values } = parseArgs({
  options: {
    ...{ operations: flag, mix: flag, html: flag, overload: flag, scale: flag, all: flag, help: flag },
    ...{ rounds: text, seconds: text, connections: text, jobs: text, posts: text, against: text },
  },
});

function settingsOf({ defaults }: Bench): Settings {
  const given = (name: 'rounds' | 'seconds' | 'connections' | 'jobs' | 'posts'): number[] =>
    (values[name] ?? []).map((text) => {
      if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
      throw new Error(`--${name} must be a whole number from 1\n\n${usage}`);
    });
  const number = (name: 'rounds' | 'seconds' | 'jobs' | 'posts') => given(name)[0] ?? defaults[name] ?? 0;
  const connections = given('connections');
  return {
    ...{ rounds: number('rounds'), seconds: number('seconds'), jobs: number('jobs'), posts: number('posts') },
    connections: connections.length > 0 ? connections : (defaults.connections ?? [32]),
    against: (values.against ?? []).map((folder) => resolve(folder)),
  };
}

/** Runs one bench; what it has started ends with it. Its tables, as Markdown. */
async function measure(bench: Bench, signal: AbortSignal): Promise<string> {
  const steps: (() => Promise<void>)[] = [];
  try {
    return (await bench.measure(settingsOf(bench), { signal, undo: (step) => steps.unshift(step) })).join('\n\n');
  } finally {
    for (const step of steps) await step().catch(console.error);
  }
}

const resultsFile = join(packageRoot, 'scripts/bench/RESULTS.md');

/** Puts the tables of a bench between its marks for this version of Node in RESULTS.md. */
function record(name: string, tables: string): void {
  const [major] = process.versions.node.split('.');
  const marks = new RegExp(`(<!-- ${name}, Node ${major} -->\n)[^]*?(<!-- end -->)`);
  writeFileSync(
    resultsFile,
    readFileSync(resultsFile, 'utf8').replace(marks, (_, ...[begin, end]) => begin + tables + end),
  );
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => interruption.abort(new Error(`ended by ${signal}`)));
  const chosen = Object.keys(benches).filter((name) => values.all || values[name as 'mix']);
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} cores of ${cpus()[0]?.model}`,
  );
  for (const name of chosen.length > 0 ? chosen : ['operations']) {
    const tables = await measure(benches[name] as Bench, interruption.signal);
    console.log(`\n${tables}`);
    if (values.all) record(name, `${tables}\n`);
  }
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
