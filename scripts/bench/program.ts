import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot as root } from '../../src/database/prisma-folder.ts';

export { root };

/** What a benchmark gets besides its settings. */
export interface Run {
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Registers a clean-up step; steps run at the end, the last first. */
  undo(step: () => Promise<void>): void;
}

/** One option of a command line. `read` gets every given value, and throws what it must be. */
interface Option<T> {
  readonly about: string;
  /** What the usage shows in its place. */
  readonly value: string;
  read(given: readonly string[]): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Settings<O extends Options> = { readonly [K in keyof O]: ReturnType<O[K]['read']> };

export const option = <T>(about: string, value: string, read: Option<T>['read']): Option<T> => ({ about, value, read });

export function wholeNumber(text: string, max: number, step = 1): number {
  const value = Number(text);
  if (Number.isInteger(value / step) && value >= step && value <= max) return value;
  throw new Error(`must be a ${step === 1 ? 'whole number' : 'multiple'} from ${step} to ${max}`);
}

export const count = (about: string, fallback: number, max: number, step = 1): Option<number> =>
  option(`${about} (${fallback})`, 'N', (given) => wholeNumber(given.at(-1) ?? String(fallback), max, step));

/** One of `all`, or all of them. */
export const choice = <T extends string>(about: string, value: string, all: readonly T[]): Option<readonly T[]> =>
  option(about, value, (given) => {
    const found = all.filter((one) => given.length === 0 || one === given.at(-1));
    if (found.length === 0) throw new Error(`must be one of ${all.join(', ')}`);
    return found;
  });

export const file = (about: string): Option<string | undefined> => option(about, 'FILE', (given) => given.at(-1));
export const jsonFile = file('write all figures there');
export const builtFolder: Option<string> = option(
  'where npm run build has put the service (dist)',
  'DIR',
  (given) => given.at(-1) ?? join(root, 'dist'),
);

/** Runs a benchmark whose command is `npm run NAME`. A failure is one line and exit code 1. */
export async function runBench<O extends Options>(
  name: string,
  about: string,
  options: O,
  bench: (settings: Settings<O>, run: Run) => Promise<void>,
): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => interruption.abort(new Error(`ended by ${signal}`)));
  const steps: (() => Promise<void>)[] = [];
  const fail = (error: unknown) => {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  };
  try {
    const settings = readSettings(name, about, options);
    if (settings) await bench(settings, { signal: interruption.signal, undo: (step) => steps.unshift(step) });
  } catch (error) {
    fail(error);
  }
  for (const step of steps) await step().catch(fail);
}

/** The settings of the command line; undefined after printing the help. Throws one line and the usage. */
function readSettings<O extends Options>(name: string, about: string, options: O): Settings<O> | undefined {
  const lines = Object.entries(options).map(([option, { value, about }]) => [`  --${option} ${value}`, about] as const);
  const width = Math.max(...lines.map(([option]) => option.length));
  const listed = lines.map(([option, about]) => `${option.padEnd(width)}  ${about}`);
  const usage = `npm run ${name} -- [options]\n\n${about}\n\n${listed.join('\n')}`;
  const strings = Object.keys(options).map((option) => [option, { type: 'string', multiple: true }] as const);
  // --mix, --eras and --tokens have already chosen the benchmark.
  const flags = {
    help: { type: 'boolean' },
    mix: { type: 'boolean' },
    eras: { type: 'boolean' },
    tokens: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options: { ...Object.fromEntries(strings), ...flags } });
  if (values.help) return void console.log(usage);
  const settings = Object.entries(options).map(([option, { read }]) => {
    try {
      return [option, read((values as Record<string, string[] | undefined>)[option] ?? [])];
    } catch (error) {
      throw new Error(`--${option} ${(error as Error).message}\n\n${usage}`);
    }
  });
  // Each value was read by its own option.
  return Object.fromEntries(settings) as Settings<O>;
}
