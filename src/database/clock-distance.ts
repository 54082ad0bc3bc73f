/** How far another clock is ahead of this machine's, and by how much that may be wrong: it was read at some time while we waited. */
export interface ClockDistance {
  readonly aheadMs: number;
  readonly uncertainMs: number;
}

export async function clockDistance(readMs: () => Promise<number>): Promise<ClockDistance> {
  const before = Date.now();
  const ms = await readMs();
  const after = Date.now();
  return { aheadMs: ms - (before + after) / 2, uncertainMs: (after - before) / 2 };
}
