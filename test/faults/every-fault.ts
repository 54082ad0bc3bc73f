import { expect } from 'chai';
import type { Fault, FaultKind } from '../helper/boundaries.ts';
import type { BoundedService } from './bounded-app.ts';

export interface Outcome {
  readonly status: number | 'unanswered';
  /** The rows that the call wrote or deleted. */
  readonly changes: readonly string[];
}

export interface Subject {
  /** Prepares what the call needs. The returned function runs the call, once with this fault, and may be called again. */
  readonly make: () => Promise<(fault?: Fault) => Promise<Outcome>>;
  readonly status: number;
  /** The status of repeating the call after its effect. */
  readonly again?: number;
}

/** What can happen to a call, by the first word of its name. */
const kinds: Readonly<Record<string, readonly FaultKind[]>> = {
  database: ['fails', 'disconnects', 'loses its answer', 'hangs', 'loses its client'],
  sanitizer: ['fails', 'loses its answer', 'hangs', 'loses its client'],
  client: ['fails', 'loses its answer', 'hangs', 'loses its client'],
  // By contract, this call never fails.
  log: ['loses its client'],
};

/**
 * Makes every call that leaves the service fail in every way, one at a time. Each must end in one answer, be done completely or not at all,
 * and be repeatable. Resolves with the written rows.
 */
export async function everyFault({ boundaries }: BoundedService, { make, status, again }: Subject) {
  // Opens the connections.
  await (await make())();
  const clean = await (await make())();
  expect(clean.status).to.equal(status);
  const calls = [...boundaries.calls];
  const hasClient = calls.some((call) => call.startsWith('client'));
  for (const call of calls)
    for (const kind of kinds[call.split(':')[0] ?? ''] ?? []) {
      if (kind === 'loses its client' && !hasClient) continue;
      const about = `${call} ${kind}: `;
      const run = await make();
      const faulted = await run({ call, kind });
      expect(boundaries.hasFired, `${about}the fault happened`).to.equal(true);
      const mayBeUnanswered = kind === 'loses its client' || call.startsWith('client');
      expect(faulted.status, `${about}with the fault`).to.be.oneOf([status, 503, mayBeUnanswered && 'unanswered']);
      const hasHappened = faulted.changes.length > 0;
      if (hasHappened || faulted.status === status)
        expect(faulted.changes, `${about}all or nothing`).to.deep.equal(clean.changes);
      const repeated = await run();
      if (!hasHappened) expect(repeated, `${about}without the fault`).to.deep.equal(clean);
      else if (again) expect(repeated, `${about}once`).to.deep.equal({ status: again, changes: [] });
    }
  return clean.changes;
}
