import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { resetSandbox } from '../../src/operations/sandbox/reset-sandbox.ts';
import { actionContext, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import {
  type Answer,
  createJob,
  listJobs,
  mcpCaller,
  modernMcpCaller,
  type ProtocolCaller,
  restCaller,
  updateJob,
  withdrawJob,
} from '../helper/protocol-callers.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

const openers = { REST: restCaller, MCP: mcpCaller, modern: modernMcpCaller } as const;
type Protocol = keyof typeof openers;

const key = 'the-same';
const other = { ...minimalJob, title: 'Outro' };
const jobOf = ({ body }: Answer) => (body as { data: { id: number; title: string; status: string } }).data;
const detailsOf = ({ body }: Answer) => (body as { error: { details: Record<string, unknown> } }).error.details;

/** A company's callers of two protocols in one environment. */
async function pairOf(company: TestCompany, protocols: readonly Protocol[], environment: Environment = 'sandbox') {
  const secret = await company.secret(environment, 'write');
  return protocols.map((protocol) => openers[protocol](server(), environment, secret)) as [
    ProtocolCaller,
    ProtocolCaller,
  ];
}
const create = (caller: ProtocolCaller, job: unknown = minimalJob): Promise<Answer> => caller.run(createJob(job, key));

/** Expects as many jobs, and as much of the quota used. */
async function expectJobs(caller: ProtocolCaller, count: number, used = count): Promise<void> {
  const { meta } = (await caller.run(listJobs())).body as { meta: { total: number } };
  const { data } = (await caller.run({ operationId: 'getAccount' })).body as { data: { jobs: { used: number } } };
  expect([meta.total, data.jobs.used]).to.deep.equal([count, used]);
}

for (const protocols of [
  ['REST', 'MCP'],
  ['MCP', 'REST'],
  ['modern', 'REST'],
  ['MCP', 'modern'],
] as const)
  describe(`one idempotency key, first over ${protocols.join(' and then over ')}`, () => {
    const pair = async (company?: TestCompany, environment?: Environment) =>
      pairOf(company ?? (await newCompany()), protocols, environment);

    for (const environment of ['sandbox', 'production'] as const) {
      it(`${environment}: the repeated create answers 200 with the same job, as it is now, and creates nothing`, async () => {
        const [first, second] = await pair(undefined, environment);
        const created = await create(first, fullJob());
        expect(created.status).to.equal(201);
        const replayed = await create(second, fullJob());
        expect(replayed).to.deep.include({ status: 200, body: created.body });
        const { id } = jobOf(created);
        await second.run(updateJob(id, { title: 'Pintor' }));
        await second.run(withdrawJob(id));
        expect(jobOf(await create(second, fullJob()))).to.include({ id, title: 'Pintor', status: 'inactive' });
        await expectJobs(first, 1);
      });

      it(`${environment}: different JSON, allowed or not, answers 409, names at most 50 fields shortly and creates nothing`, async () => {
        const [first, second] = await pair(undefined, environment);
        await create(first);
        const differing = async (job: unknown) => {
          const conflict = await create(second, job);
          const { reason, differing_fields } = detailsOf(conflict);
          expect([conflict.status, reason]).to.deep.equal([409, 'idempotency_key']);
          return differing_fields;
        };
        expect(await differing({ ...other, requirements: null })).to.deep.equal(['requirements', 'title']);
        const invalid = { ...minimalJob, title: 'a'.repeat(256), colour: 'red' };
        expect(await differing(invalid)).to.deep.equal(['colour', 'title']);
        expect(await differing(null)).to.deep.equal(Object.keys(minimalJob).sort());
        const many = Object.fromEntries(times(9000, (n) => [`k${n}`, 1]));
        expect(await differing({ ...minimalJob, ...many })).to.have.length(50);
        expect(await differing({ ...minimalJob, ['x'.repeat(100_000)]: 1 })).to.deep.equal([`${'x'.repeat(100)}…`]);
        await expectJobs(first, 1);
      });

      it(`${environment}: a removed job answers 410 and its key stays reserved`, async () => {
        const acme = await newCompany();
        const [first, second] = await pair(acme, environment);
        const { id } = jobOf(await create(first));
        await removeJob(actionContext(), { companyId: acme.id, environment, jobId: BigInt(id) });
        for (const caller of [second, first, second]) expect((await create(caller)).status).to.equal(410);
        expect((await create(second, other)).status).to.equal(409);
        await expectJobs(first, 0, 1);
      });
    }

    it('key order makes no difference, nor does markup that sanitizing removes', async () => {
      const [first, second] = await pair();
      const job = { ...fullJob(), body: '<p onclick="x()">Olá<script>x</script></p>' };
      const { id } = jobOf(await create(first, job));
      const replayed = await create(second, Object.fromEntries(Object.entries(job).reverse()));
      expect([replayed.status, jobOf(replayed).id]).to.deep.equal([200, id]);
    });

    it('a refused create leaves the key unused for the other protocol', async () => {
      const [first, second] = await pair();
      for (const wrong of [{ category_id: 1 }, { colour: 'red' }, { title: 'a'.repeat(256) }])
        expect((await create(first, { ...minimalJob, ...wrong })).status).to.equal(422);
      expect((await create(second)).status).to.equal(201);
    });

    it('each environment and company has its own keys; a reset of the sandbox frees its keys only', async () => {
      const acme = await newCompany();
      const [sandbox, production] = [await pair(acme), await pair(acme, 'production')];
      const all = [sandbox, production, await pair()];
      for (const [first] of all) expect((await create(first)).status).to.equal(201);
      for (const [, second] of all) expect((await create(second)).status).to.equal(200);
      for (const [, second] of all) await expectJobs(second, 1);
      await resetSandbox(actionContext(), { companyId: acme.id });
      expect((await create(sandbox[1])).status).to.equal(201);
      expect((await create(production[1])).status).to.equal(200);
    });
  });

describe('one idempotency key over both protocols simultaneously', () => {
  for (const environment of ['sandbox', 'production'] as const)
    it(`${environment}: ten creates over each make one job: one 201, the others replay it`, async () => {
      const both = await pairOf(await newCompany({ plan: 'Pro' }), ['REST', 'MCP'], environment);
      const answers = await Promise.all(times(20, (n) => create(both[n % 2] as ProtocolCaller, fullJob())));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array(19).fill(200), 201]);
      expect(new Set(answers.map((answer) => jobOf(answer).id)).size).to.equal(1);
      for (const caller of both) await expectJobs(caller, 1);
    });

  it('ten of one JSON and ten of another make one job: the others replay it or conflict', async () => {
    const both = await pairOf(await newCompany(), ['REST', 'MCP']);
    const calls = times(20, (n) => create(both[n % 2] as ProtocolCaller, n % 4 < 2 ? minimalJob : other));
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(9).fill(200), 201, ...Array(10).fill(409)]);
    await expectJobs(both[1], 1);
  });
});
