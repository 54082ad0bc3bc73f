/** What `make` gives for 0 and so on. */
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export const statusesOf = async (calls: readonly Promise<{ status: number }>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);

export const count = <T>(values: readonly T[], value: T): number => values.filter((other) => other === value).length;
