import { db } from '../helper/fixtures.ts';
import { type Call, createJob, getJob, listJobs, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import type { Fixture } from './same-outcome.ts';

/** One good call of every operation that has a tool. */
export const everyCall: readonly Call[] = [
  { operationId: 'getAccount' },
  { operationId: 'listCategories' },
  { operationId: 'listRegions' },
  { operationId: 'listOptions' },
  listJobs(),
  createJob(minimalJob, 'k'),
  getJob(1),
  updateJob(1, { title: 'Pintor' }),
  withdrawJob(1),
];
export const writes = everyCall.filter(({ operationId }) => /^(create|update|withdraw)/.test(operationId));
export const onOneJob = everyCall.filter(({ id }) => id !== undefined);
export const withBody = everyCall.filter(({ body }) => body !== undefined);

let keys = 0;

/** A job made through the protocol under test, whose id the call is then given. */
export const aJob =
  (body: object = minimalJob) =>
  async ({ open, acme }: Fixture, owner = acme, environment?: 'sandbox' | 'production'): Promise<{ id: number }> => {
    const { status, body: made } = await (await open(owner, environment)).run(createJob(body, `given-${keys++}`));
    if (status !== 201) throw new Error(`the fixture's job was refused with ${status}`);
    // Deleted, so that the key of the fixture's own job is not compared.
    await db().idempotencyKey.deleteMany({ where: { companyId: owner.id } });
    return { id: (made as { data: { id: number } }).data.id };
  };
