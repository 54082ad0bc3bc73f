import fc from 'fast-check';

const { SEED = '777' } = process.env;

/** Every property draws the same values in every run, so that what has passed passes again. `SEED=random` draws others, and `SEED` repeats a failure. */
export const seed = SEED === 'random' ? Date.now() % 2 ** 31 : Number(SEED);
if (!Number.isInteger(seed)) throw new Error(`SEED must be random or a whole number, not ${SEED}`);
fc.configureGlobal({ seed });

/** Whether the long tests run: `npm run test:all`. */
const isLong = ['long', 'all'].includes(process.env.TESTS ?? '');

/** How many values a `*.sampled.test.ts` draws: a few in every run, many in the long one. */
export const draws = (few: number, many: number): number => (isLong ? many : few);

/** The values that it tries: a sample, evenly spread, or all. */
export const sample = <T>(values: readonly T[], few: number): readonly T[] =>
  isLong ? values : values.filter((_, at) => at % Math.ceil(values.length / few) === 0);
