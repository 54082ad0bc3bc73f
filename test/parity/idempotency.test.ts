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
import { freshKey } from '../helper/rest-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';

interface Callers {
  readonly rest: ProtocolCaller;
  readonly mcp: ProtocolCaller;
  readonly modern: ProtocolCaller;
}

async function callersOf(company: TestCompany, environment: Environment = 'sandbox'): Promise<Callers> {
  const secret = await company.secret(environment, 'write');
  const open = (caller: typeof mcpCaller) => caller(server(), environment, secret);
  return { rest: open(restCaller), mcp: open(mcpCaller), modern: open(modernMcpCaller) };
}

const directions = [
  ['rest', 'mcp'],
  ['mcp', 'rest'],
  ['modern', 'rest'],
  ['mcp', 'modern'],
] as const;

const jobOf = ({ body }: Answer) => (body as { data: { id: number; title: string; status: string } }).data;
const detailsOf = ({ body }: Answer) => (body as { error: { details: Record<string, unknown> } }).error.details;
const jobsSeenBy = async (caller: ProtocolCaller) =>
  ((await caller.run(listJobs())).body as { meta: { total: number } }).meta.total;
const usedSeenBy = async (caller: ProtocolCaller) =>
  ((await caller.run({ operationId: 'getAccount' })).body as { data: { jobs: { used: number } } }).data.jobs.used;

for (const [first, second] of directions)
  describe(`one idempotency key, first over ${first.toUpperCase()} and then over ${second.toUpperCase()}`, () => {
    for (const environment of ['sandbox', 'production'] as const)
      it(`${environment}: the repeated create answers 200 with the same job and creates nothing`, async () => {
        const callers = await callersOf(await newCompany(), environment);
        const key = freshKey();
        const created = await callers[first].run(createJob(fullJob(), key));
        expect(created.status).to.equal(201);
        const replayed = await callers[second].run(createJob(fullJob(), key));
        expect(replayed.status).to.equal(200);
        expect(replayed.body).to.deep.equal(created.body);
        expect(await jobsSeenBy(callers[second])).to.equal(1);
        expect(await usedSeenBy(callers[first])).to.equal(1);
      });

    it('the repeated create shows the job’s current state', async () => {
      const callers = await callersOf(await newCompany());
      const key = freshKey();
      const { id } = jobOf(await callers[first].run(createJob(minimalJob, key)));
      await callers[second].run(updateJob(id, { title: 'Pintor' }));
      await callers[second].run(withdrawJob(id));
      const replayed = await callers[second].run(createJob(minimalJob, key));
      expect(replayed.status).to.equal(200);
      expect(jobOf(replayed)).to.include({ id, title: 'Pintor', status: 'inactive' });
    });

    it('key order makes no difference, nor does markup that sanitizing removes', async () => {
      const callers = await callersOf(await newCompany());
      const key = freshKey();
      const job = { ...fullJob(), body: '<p onclick="x()">Olá<script>x</script></p>' };
      const reversed = Object.fromEntries(Object.entries(job).reverse());
      const { id } = jobOf(await callers[first].run(createJob(job, key)));
      const replayed = await callers[second].run(createJob(reversed, key));
      expect(replayed.status).to.equal(200);
      expect(jobOf(replayed).id).to.equal(id);
    });

    it('different JSON answers 409, names the fields and creates nothing', async () => {
      const callers = await callersOf(await newCompany());
      const key = freshKey();
      await callers[first].run(createJob(minimalJob, key));
      const conflict = await callers[second].run(createJob({ ...minimalJob, title: 'Outro', requirements: null }, key));
      expect(conflict.status).to.equal(409);
      expect(detailsOf(conflict)).to.deep.equal({
        reason: 'idempotency_key',
        differing_fields: ['requirements', 'title'],
      });
      expect(await jobsSeenBy(callers[first])).to.equal(1);
    });

    it('different JSON that the contract does not allow answers 409 too, with at most 50 short names', async () => {
      const callers = await callersOf(await newCompany());
      const key = freshKey();
      await callers[first].run(createJob(minimalJob, key));
      const differing = async (job: unknown) => {
        const conflict = await callers[second].run(createJob(job, key));
        expect(conflict.status).to.equal(409);
        return detailsOf(conflict).differing_fields as string[];
      };
      expect(await differing({ ...minimalJob, title: 'a'.repeat(256), colour: 'red' })).to.deep.equal([
        'colour',
        'title',
      ]);
      expect(await differing(null)).to.deep.equal(Object.keys(minimalJob).sort());
      const many = Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`k${n}`, 1]));
      expect(await differing({ ...minimalJob, ...many })).to.have.length(50);
      expect(await differing({ ...minimalJob, ['x'.repeat(100_000)]: 1 })).to.deep.equal([`${'x'.repeat(100)}…`]);
    });

    it('a removed job answers 410 and its key stays reserved', async () => {
      const acme = await newCompany();
      const callers = await callersOf(acme);
      const key = freshKey();
      const { id } = jobOf(await callers[first].run(createJob(minimalJob, key)));
      await removeJob(actionContext(), { companyId: acme.id, environment: 'sandbox', jobId: BigInt(id) });
      for (const caller of [callers[second], callers[first], callers[second]])
        expect((await caller.run(createJob(minimalJob, key))).status).to.equal(410);
      expect((await callers[second].run(createJob({ ...minimalJob, title: 'Outro' }, key))).status).to.equal(409);
      expect(await jobsSeenBy(callers[first])).to.equal(0);
    });

    it('a refused create leaves the key unused for the other protocol', async () => {
      const callers = await callersOf(await newCompany());
      const key = freshKey();
      for (const wrong of [{ category_id: 1 }, { colour: 'red' }, { title: 'a'.repeat(256) }])
        expect((await callers[first].run(createJob({ ...minimalJob, ...wrong }, key))).status).to.equal(422);
      expect((await callers[second].run(createJob(minimalJob, key))).status).to.equal(201);
    });

    it('sandbox and production keep separate records, and so do two companies', async () => {
      const [acme, other] = [await newCompany(), await newCompany()];
      const sandbox = await callersOf(acme, 'sandbox');
      const production = await callersOf(acme, 'production');
      const foreign = await callersOf(other, 'sandbox');
      const key = freshKey();
      const accounts = [sandbox, production, foreign];
      for (const callers of accounts)
        expect((await callers[first].run(createJob(minimalJob, key))).status).to.equal(201);
      for (const callers of accounts)
        expect((await callers[second].run(createJob(minimalJob, key))).status).to.equal(200);
      for (const callers of accounts) expect(await jobsSeenBy(callers[second])).to.equal(1);
    });

    it('a reset of the sandbox frees its keys and leaves those of production', async () => {
      const acme = await newCompany();
      const sandbox = await callersOf(acme, 'sandbox');
      const production = await callersOf(acme, 'production');
      const key = freshKey();
      for (const callers of [sandbox, production]) await callers[first].run(createJob(minimalJob, key));
      await resetSandbox(actionContext(), { companyId: acme.id });
      expect((await sandbox[second].run(createJob(minimalJob, key))).status).to.equal(201);
      expect((await production[second].run(createJob(minimalJob, key))).status).to.equal(200);
    });
  });

describe('one idempotency key over both protocols simultaneously', () => {
  for (const environment of ['sandbox', 'production'] as const)
    it(`${environment}: ten creates over each make one job: one 201, the others replay it`, async () => {
      const { rest, mcp } = await callersOf(await newCompany({ plan: 'Pro' }), environment);
      const key = freshKey();
      const calls = Array.from({ length: 20 }, (_, n) => (n % 2 ? rest : mcp).run(createJob(fullJob(), key)));
      const answers = await Promise.all(calls);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array(19).fill(200), 201]);
      expect(new Set(answers.map((answer) => jobOf(answer).id)).size).to.equal(1);
      expect(await jobsSeenBy(rest)).to.equal(1);
      expect(await usedSeenBy(mcp)).to.equal(1);
    });

  it('ten of one JSON and ten of another make one job: the others replay it or conflict', async () => {
    const { rest, mcp } = await callersOf(await newCompany());
    const key = freshKey();
    const jobs = [minimalJob, { ...minimalJob, title: 'Outro' }];
    const calls = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? rest : mcp).run(createJob(jobs[Math.floor(n / 2) % 2], key)),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(9).fill(200), 201, ...Array(10).fill(409)]);
    expect(await jobsSeenBy(mcp)).to.equal(1);
  });
});
