import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot as root } from '../../src/database/migrations-folder.ts';

export { root };

/** One option of a command line. `read` gets every value that was given, and throws what it must be. */
interface Option<T> {
  readonly about: string;
  /** What the usage shows in its place. */
  readonly value: string;
  read(given: readonly string[]): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Settings<O extends Options> = { readonly [K in keyof O]: ReturnType<O[K]['read']> };

const whole = (text: string, max: number, step: number): number => {
  const value = Number(text);
  if (Number.isInteger(value / step) && value >= step && value <= max) return value;
  throw new Error(`must be a ${step === 1 ? 'whole number' : 'multiple'} from ${step} to ${max}`);
};

export const count = (about: string, fallback: number, max: number, step = 1): Option<number> => ({
  about: `${about} (${fallback})`,
  value: 'N',
  read: (given) => whole(given.at(-1) ?? String(fallback), max, step),
});

/** One of `all`, or all of them. */
export const choice = <T extends string>(about: string, value: string, all: readonly T[]): Option<readonly T[]> => ({
  about,
  value,
  read: (given) => {
    const found = all.filter((one) => given.length === 0 || one === given.at(-1));
    if (found.length === 0) throw new Error(`must be one of ${all.join(', ')}`);
    return found;
  },
});

export const file = (about: string): Option<string | undefined> => ({
  about,
  value: 'FILE',
  read: (given) => given.at(-1),
});

export const jsonFile = file('write all figures there');

export const builtFolder: Option<string> = {
  about: 'where npm run build has put the service (dist)',
  value: 'DIR',
  read: (given) => given.at(-1) ?? join(root, 'dist'),
};

/** The settings of a command line; undefined where help was asked for and given. Throws one line and the usage. */
export function readSettings<O extends Options>(name: string, about: string, options: O): Settings<O> | undefined {
  const lines = Object.entries(options).map(([option, { value, about }]) => [`  --${option} ${value}`, about] as const);
  const width = Math.max(...lines.map(([option]) => option.length));
  const listed = lines.map(([option, about]) => `${option.padEnd(width)}  ${about}`);
  const usage = `npm run ${name} -- [options]\n\n${about}\n\n${listed.join('\n')}`;
  const strings = Object.keys(options).map((option) => [option, { type: 'string', multiple: true }] as const);
  // --mix has chosen the bench.
  const flags = { help: { type: 'boolean' }, mix: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options: { ...Object.fromEntries(strings), ...flags } });
  if (values.help) {
    console.log(usage);
    return undefined;
  }
  const settings = Object.entries(options).map(([option, { read }]) => {
    const given = (values as Record<string, string[] | undefined>)[option] ?? [];
    try {
      return [option, read(given)];
    } catch (error) {
      throw new Error(`--${option} ${(error as Error).message}\n\n${usage}`);
    }
  });
  // Each value by its own option.
  return Object.fromEntries(settings) as Settings<O>;
}
