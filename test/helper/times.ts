export const immediately = (): Promise<void> => new Promise(setImmediate);

/** Looks again in each turn of the event loop. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await immediately();
}

/** What `make` gives for 0 and so on. */
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
