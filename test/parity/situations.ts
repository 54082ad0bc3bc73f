import type { Prisma } from '../../generated/prisma/client.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { setDistricts } from '../../src/operations/companies/people/set-districts.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { actionContext, db } from '../helper/fixtures.ts';
import { type Call, createJob, getJob, listJobs, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import type { Fixture, Outcome } from './same-outcome.ts';

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
export const account: Call = { operationId: 'getAccount' };
export const create = createJob(minimalJob, 'k');
export const createWith = (fields: object): Call => createJob({ ...minimalJob, ...fields }, 'k');
/** A change of the situation's job. */
export const changeTo = (fields: unknown): Call => updateJob(0, fields);

/** Parts of an outcome. Several can be combined; later ones win. */
type Situation = Partial<Outcome> | undefined;
export const outcome = (title: string, call: Call, status: number, ...situations: Situation[]): Outcome =>
  Object.assign({ title, call, status }, ...situations);
/** The same outcome for each of the calls. Their names complete the title. */
export const each = (calls: readonly Call[], title: string, status: number, ...situations: Situation[]): Outcome[] =>
  calls.map((call) => outcome(`${call.operationId} ${title}`, call, status, ...situations));

export const production = { environment: 'production' } as const;
export const published: Situation = { ...production, company: { autoPublish: true } };
export const ofPlan = (plan: string | null): Situation => ({ ...production, company: { plan } });

let keys = 0;

/** Creates a job through the protocol under test; the call gets its id. */
export const aJob =
  (body: object = minimalJob) =>
  async ({ open, acme }: Fixture, owner = acme, environment?: Environment): Promise<{ id: number }> => {
    const { status, body: made } = await (await open(owner, environment)).run(createJob(body, `given-${keys++}`));
    if (status !== 201) throw new Error(`the fixture's job was refused with ${status}`);
    // Deleted, so that the key of the fixture's own job is not compared.
    await db().idempotencyKey.deleteMany({ where: { companyId: owner.id } });
    return { id: (made as { data: { id: number } }).data.id };
  };

/** Creates a job, then sets these columns. */
export const stored = (data: Prisma.JobUpdateManyMutationInput) => async (fixture: Fixture) => {
  const made = await aJob()(fixture);
  await db().job.updateMany({ where: { companyId: fixture.acme.id }, data });
  return made;
};
/** The columns of a published job that has expired. */
export const past = { status: 'active', validUntil: new Date('2020-01-01') } as const;

export const remove = ({ acme, environment }: Fixture, id: number) =>
  removeJob(actionContext(), { companyId: acme.id, environment, jobId: BigInt(id) });

export const grant =
  (limit: number, expiresOn: Date | null = null) =>
  async ({ acme: { id: companyId } }: Fixture) => {
    await grantComplimentary(actionContext(), { companyId, limit });
    if (expiresOn) await db().complimentaryGrant.update({ where: { companyId }, data: { expiresOn } });
    return {};
  };

/** Creates a job of a company that may afterwards publish only in this district. */
export const only = (district: number) => async (fixture: Fixture) => {
  const made = await aJob()(fixture);
  await setDistricts(actionContext(), { companyId: fixture.acme.id, districts: [district] });
  return made;
};

export const ofStranger = async (fixture: Fixture) => aJob()(fixture, await fixture.stranger());
export const sending = (headers: Record<string, string>): Situation => ({ given: { headers } });
