export const immediately = (): Promise<void> => new Promise(setImmediate);

/** Checks again in each turn of the event loop. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await immediately();
}

/** The results of `make` for 0, 1 and so on. */
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
