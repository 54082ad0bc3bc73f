import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measure as citus } from './citus.ts';
import { measure as hostile } from './hostile.ts';
import { measure as mix } from './mix.ts';
import { measure as operations } from './operations.ts';
import { measure as scale } from './scale.ts';
import { measure as searches } from './searches.ts';
import { cleanUp } from './servers.ts';
import { measure as wrongInputs } from './wrong-inputs.ts';

/** The benchmarks by name. Each prints Markdown. */
const benches = { operations, mix, hostile, 'wrong-inputs': wrongInputs, searches, scale, citus } as const;
const usage = `npm run bench -- [BENCH ...] [--short] [--against DIR ...] [--only OPERATION ...]

  operations    each operation against a hand-written floor, Fastify and the MCP SDK (the default)
  mix           a mix of requests of fifty companies, also of the built checkouts of --against; --only updateJob sends one operation
  hostile       hostile HTML from two companies and what two others notice, on the embedded database
  wrong-inputs  the CPU of wrong inputs of up to 128 KiB, on the embedded database
  searches      each search for a text over 50,000 rows of the worst text, on PostgreSQL and embedded
  scale         each operation for companies that stay as they are while the jobs of all others grow a thousandfold, and the pages of
                the administration beside a million jobs
  citus         reads and writes on Citus (a coordinator and two workers) against one PostgreSQL, both private and on this machine

--short proves that they work; its figures mean nothing. All but citus use the PostgreSQL of DATABASE_URL or of 127.0.0.1:5432, in
databases of their own.`;

async function main(): Promise<void> {
  const options = {
    short: { type: 'boolean', default: false },
    against: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const names = positionals.length > 0 ? positionals : ['operations'];
  if (!names.every((name) => Object.hasOwn(benches, name))) throw new Error(usage);
  const against = (values.against ?? []).map((folder) => resolve(folder));
  const settings = { isShort: values.short, against, only: values.only ?? [] };
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model}`;
  console.log(`${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}`);
  try {
    for (const name of names) await benches[name as 'mix'](settings);
  } finally {
    await cleanUp();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cleanUp().finally(() => process.exit(1)));
main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
