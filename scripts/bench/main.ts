import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import type { Bench, Settings } from './bench.ts';
import * as html from './html.ts';
import * as mix from './mix.ts';
import * as operations from './operations.ts';
import * as scale from './scale.ts';

const benches: Readonly<Record<string, Bench>> = { operations, mix, html, scale };
const usage = `npm run bench -- [--BENCH] [options]

${Object.entries(benches)
  .map(([name, { about }]) => `  --${name.padEnd(12)}${about}`)
  .join('\n')}
  --all         all of them, whose tables replace those of RESULTS.md

Options:
  --rounds N     (operations, mix)
  --jobs N       of the largest database (scale)
  --against DIR  a built checkout to compare with; may be given several times (mix)

They use the PostgreSQL of DATABASE_URL or of 127.0.0.1:5432, in databases of their own.`;

const [flag, text] = [{ type: 'boolean' }, { type: 'string' }] as const;
const { values } = parseArgs({
  options: {
    ...{ operations: flag, mix: flag, html: flag, scale: flag, all: flag, help: flag },
    ...{ rounds: text, jobs: text, against: { ...text, multiple: true } },
  },
});

function settingsOf({ defaults }: Bench): Settings {
  const number = (name: 'rounds' | 'jobs'): number => {
    const given = values[name] ?? String(defaults[name] ?? 1);
    if (/^[1-9]\d{0,7}$/.test(given)) return Number(given);
    throw new Error(`--${name} must be a whole number from 1\n\n${usage}`);
  };
  const against = (values.against ?? []).map((folder) => resolve(folder));
  return { rounds: number('rounds'), jobs: number('jobs'), against };
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
