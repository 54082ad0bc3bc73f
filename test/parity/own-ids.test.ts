import { expect } from 'chai';
import type { Schemas } from '../../src/contract/types.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { resetSandbox } from '../../src/operations/companies/people/reset-sandbox.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { actionContext, db, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import {
  callers,
  createJob,
  getJob,
  listJobs,
  type ProtocolCaller,
  restCaller,
  updateJob,
} from '../helper/protocol-callers.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';

interface Page {
  readonly data: Schemas['Job'][];
  readonly meta: Schemas['PageMeta'];
}

const always = '1970-01-01T00:00:00Z';
const created = async (caller: ProtocolCaller, key: string): Promise<number> => {
  const { status, body, idempotency_key } = await caller.run(createJob({ ...minimalJob, title: key }, key));
  expect([status, idempotency_key]).to.deep.equal([201, key]);
  return (body as { data: Schemas['Job'] }).data.id;
};
const list = async (caller: ProtocolCaller, query: object): Promise<Page> => {
  const { status, body } = await caller.run(listJobs({ ...query }));
  expect(status, JSON.stringify(body)).to.equal(200);
  return body as Page;
};
const idsOf = ({ data }: Page): number[] => data.map(({ id }) => id);

for (const [at, name] of ['REST', 'MCP', 'MCP 2026-07-28'].entries()) {
  const open = callers[at] ?? callers[0];
  const newCaller = async (company: TestCompany, environment: Environment = 'sandbox') =>
    open(server(), environment, await company.secret(environment, 'write'));

  describe(`the customer's own id of a job over ${name}`, () => {
    it('is in every answer that holds one job, also in a replay', async () => {
      const caller = await newCaller(await newCompany());
      const id = await created(caller, 'ref:17');
      for (const call of [
        getJob(id),
        updateJob(id, { title: 'ref:17' }),
        updateJob(id, { title: 'Outro' }),
        createJob({ ...minimalJob, title: 'ref:17' }, 'ref:17'),
      ])
        expect(await caller.run(call), call.operationId).to.include({ status: 200, idempotency_key: 'ref:17' });
    });

    it('finds its job, or none, in its environment and company, with the other filters', async () => {
      const [acme, other] = [await newCompany(), await newCompany()];
      const [caller, live] = [await newCaller(acme), await newCaller(acme, 'production')];
      const ids = [await created(caller, 'a'), await created(caller, 'b')];
      const find = async (query: object, by = caller) => idsOf(await list(by, query));
      expect(await find({ idempotency_key: 'a' })).to.deep.equal([ids[0]]);
      expect(await find({ idempotency_key: 'A' })).to.deep.equal([]);
      expect(await find({ idempotency_key: 'a' }, live)).to.deep.equal([]);
      expect(await find({ idempotency_key: 'a' }, await newCaller(other))).to.deep.equal([]);
      const liveId = await created(live, 'a');
      expect(await find({ idempotency_key: 'a' }, live)).to.deep.equal([liveId]);
      expect(await find({ idempotency_key: 'b', status: 'pending' })).to.deep.equal([ids[1]]);
      expect(await find({ idempotency_key: 'b', status: 'inactive' })).to.deep.equal([]);
      expect(await find({ idempotency_key: 'b', updated_since: always })).to.deep.equal([ids[1]]);
      expect(await find({ idempotency_key: 'b', updated_since: '2099-01-01T00:00:00Z' })).to.deep.equal([]);
      const { data, meta } = await list(caller, { idempotency_key: 'b', page: 2, include: 'idempotency_keys' });
      expect([data, meta]).to.deep.equal([
        [],
        { current_page: 2, per_page: 25, total: 1, last_page: 1, idempotency_keys: {} },
      ]);
    });

    it('stands in meta with include, for the jobs of the page', async () => {
      const company = await newCompany();
      const caller = await newCaller(company);
      const [a, b, c] = [await created(caller, 'a'), await created(caller, 'b'), await created(caller, 'c')];
      const keys = async (query: object) => (await list(caller, query)).meta.idempotency_keys;
      const include = 'idempotency_keys';
      expect(await keys({})).to.equal(undefined);
      expect(await keys({ include })).to.deep.equal({ [a]: 'a', [b]: 'b', [c]: 'c' });
      expect(await keys({ include, per_page: 2 })).to.deep.equal({ [b]: 'b', [c]: 'c' });
      expect(await keys({ include, updated_since: always, per_page: 1 })).to.deep.equal({ [a]: 'a' });
      expect(await keys({ include, status: 'active' })).to.deep.equal({});
      expect(await keys({ include, idempotency_key: 'b' })).to.deep.equal({ [b]: 'b' });
    });

    it('is absent for a job without a key, and finds nothing once its job is gone', async () => {
      const company = await newCompany();
      const caller = await newCaller(company);
      const [without, gone] = [await created(caller, 'website'), await created(caller, 'gone')];
      await db().idempotencyKey.deleteMany({ where: { companyId: company.id, key: 'website' } });
      const ref = { companyId: company.id, environment: 'sandbox', jobId: BigInt(gone), reason: 'Test' } as const;
      await removeJob(actionContext(), ref);
      for (const call of [getJob(without), updateJob(without, { title: 'Outro' })])
        expect(await caller.run(call))
          .to.include({ status: 200 })
          .and.satisfy(hasNoKey);
      const { data, meta } = await list(caller, { include: 'idempotency_keys' });
      expect([data.length, meta.idempotency_keys]).to.deep.equal([1, {}]);
      for (const key of ['website', 'gone'])
        expect(idsOf(await list(caller, { idempotency_key: key }))).to.deep.equal([]);
      await resetSandbox(actionContext(), { companyId: company.id });
      const again = await created(caller, 'gone');
      expect(idsOf(await list(caller, { idempotency_key: 'gone' }))).to.deep.equal([again]);
    });

    it('that cannot be one is 422 with each fault', async () => {
      const caller = await newCaller(await newCompany());
      const wrong: readonly (readonly [query: object, fields: string[]])[] = [
        [{ idempotency_key: '' }, ['idempotency_key']],
        [{ idempotency_key: 'a b' }, ['idempotency_key']],
        [{ idempotency_key: 'x'.repeat(129) }, ['idempotency_key']],
        [{ include: 'keys' }, ['include']],
        [{ include: 'keys', idempotency_key: 'é' }, ['idempotency_key', 'include']],
        [{ idempotency_key: 'a', cursor: '1.1.1.1' }, ['cursor']],
      ];
      for (const [query, fields] of wrong) {
        const { status, body } = await caller.run(listJobs({ ...query }));
        expect(status, JSON.stringify(query)).to.equal(422);
        expect(Object.keys((body as { error: { details: object } }).error.details).sort()).to.deep.equal(fields);
      }
    });
  });
}

describe("the customer's own id of a job", () => {
  it('stands in the meta of a large page, which is streamed', async () => {
    const caller = restCaller(server(), 'sandbox', await (await newCompany()).secret('sandbox', 'write'));
    const body = `<p>${'x'.repeat(29_000)}</p>`;
    const texts = { requirements: 'y'.repeat(10_000), contact_instructions: 'z'.repeat(10_000) };
    const ids: number[] = [];
    for (let n = 0; n < 24; n++) {
      const { body: answer } = await caller.run(createJob({ ...fullJob(), body, ...texts }, `${n}`));
      ids.push((answer as { data: Schemas['Job'] }).data.id);
    }
    const { meta } = await list(caller, { include: 'idempotency_keys' });
    expect(meta.idempotency_keys).to.deep.equal(Object.fromEntries(ids.map((id, n) => [id, `${n}`])));
  });
});

const hasNoKey = (answer: object): boolean => !('idempotency_key' in answer) || answer.idempotency_key === undefined;
