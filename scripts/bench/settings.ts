import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Measured, measured } from './operations.ts';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const usage = `npm run bench -- [options]

Asks every operation, over REST and MCP, of this service and of its rivals, each in a process of its own, on the PostgreSQL that
DATABASE_URL names or that listens on 127.0.0.1:5432, in a database of its own that is dropped at the end. With REDIS_URL the
request limits are counted in Redis. First it makes sure that all answer alike.

  --rounds N        rounds of each operation, everybody in turn (9)
  --seconds N       of load in each turn (1)
  --connections N   at a time (32)
  --only rest|mcp   one protocol
  --operation ID    one operation, such as getJob
  --markdown FILE   write the table of ratios there too
  --json FILE       write all figures there
  --dist DIR        where npm run build has put the programs (dist)
  --mix             a mix of requests of fifty companies instead; npm run bench -- --mix --help tells its options`;

export const protocols = ['rest', 'mcp'] as const;
export type Protocol = (typeof protocols)[number];

export interface Settings {
  readonly protocols: readonly Protocol[];
  readonly operations: readonly Measured[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Where `npm run build` has put the programs. */
  readonly dist: string;
  readonly json: string | undefined;
  readonly markdown: string | undefined;
}

/** Throws one line and the usage where an option is wrong; undefined where help was asked for and given. */
export function readSettings(): Settings | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      rounds: text,
      seconds: text,
      connections: text,
      only: text,
      operation: text,
      markdown: text,
      json: text,
      dist: text,
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(usage);
    return undefined;
  }
  const count = (name: 'rounds' | 'seconds' | 'connections', fallback: number, max: number): number => {
    const value = Number(values[name] ?? fallback);
    if (Number.isInteger(value) && value >= 1 && value <= max) return value;
    throw new Error(`--${name} must be a whole number from 1 to ${max}\n\n${usage}`);
  };
  return {
    protocols: chosen('only', protocols, values.only),
    operations: chosen('operation', measured, values.operation),
    rounds: count('rounds', 9, 20),
    seconds: count('seconds', 1, 60),
    connections: count('connections', 32, 1000),
    dist: resolve(values.dist ?? join(root, 'dist')),
    json: values.json,
    markdown: values.markdown,
  };
}

function chosen<T extends string>(name: string, all: readonly T[], value: string | undefined): readonly T[] {
  const found = all.filter((one) => value === undefined || one === value);
  if (found.length > 0) return found;
  throw new Error(`--${name} must be one of ${all.join(', ')}\n\n${usage}`);
}
