/** The result of one check. */
export interface Finding {
  readonly check: string;
  /** What was found; never a secret. */
  readonly found: string;
  /** What to do. Absent if nothing is wrong. */
  readonly fix?: string;
}

export const fine = (check: string, found: string): Finding => ({ check, found });
export const wrong = (check: string, found: string, fix: string): Finding => ({ check, found, fix });

/** Returns the problems in `findings`. If there are none, returns a single finding, which says that all is well. */
export const orFine = (findings: readonly (Finding | false)[], check: string, found: string): Finding[] => {
  const problems = findings.filter((finding) => finding !== false);
  return problems.length > 0 ? problems : [fine(check, found)];
};

const skewMsMax = 10_000;

/** Compares a server's clock with this process's clock. `aheadMs`, the measured difference, may be wrong by up to `uncertainMs`. */
export function clockFinding(check: string, aheadMs: number, uncertainMs: number): Finding {
  if (Math.abs(aheadMs) - uncertainMs <= skewMsMax) return fine(check, 'agrees with this machine');
  const found = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`;
  return wrong(check, found, 'synchronise both clocks with NTP');
}
