import { expect } from 'chai';
import { tools } from '../../src/contract/tools.ts';
import { listRows } from '../../src/operations/kit/api/stored-rows-sql.ts';
import { db, newCompany, server, startApp } from '../helper/fixtures.ts';
import { afterTheGate } from '../helper/gated-database.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { fullJob, largeJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

const { summary = [] } = tools.find(({ tool }) => tool.name === 'list_jobs') ?? {};

describe('list_jobs with view summary', () => {
  it('has the fields that the contract names, for every filter, and REST refuses view', async () => {
    const acme = await newCompany();
    const [asWriter, secret] = [await acme.writer(), await acme.secret('sandbox', 'read')];
    const client = new McpClient(server(), 'sandbox', secret);
    const { data } = (await asWriter.create(fullJob(), 'k')).body;
    const shown = Object.fromEntries(summary.map((field) => [field, data[field]]));
    for (const given of [
      {},
      { updated_since: '1970-01-01T00:00:00Z' },
      { idempotency_key: 'k' },
      { status: 'pending' },
    ]) {
      const { status, response } = await client.call('list_jobs', {
        view: 'summary',
        include: 'idempotency_keys',
        ...given,
      });
      expect([status, response.data]).to.deep.equal([200, [shown]]);
      expect(response.meta).to.deep.include({ total: 1, idempotency_keys: { [data.id]: 'k' } });
    }
    expect((await client.call('list_jobs', { view: null })).response.data).to.deep.equal([data]);
    const wrong = await client.call('list_jobs', { view: 'short', per_page: 0 });
    expect([wrong.status, Object.keys(wrong.error.details)]).to.deep.equal([422, ['view', 'per_page']]);
    expect((await asWriter.get('/jobs?view=summary')).body.error.details).to.have.keys('view');
  });

  it('of a page that would be streamed whole; 61 jobs are under 5,000 tokens', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    const texts = { contact_instructions: 'x'.repeat(10_000), requirements: 'y'.repeat(10_000) };
    for (const n of times(61, (at) => at))
      await asWriter.create({ ...fullJob(), ...texts, title: `Eletricista de construção civil ${n}` });
    const client = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    const { response } = await client.call('list_jobs', { view: 'summary', per_page: 100 });
    expect(response.data).to.have.length(61);
    // A token is some four bytes of such JSON.
    expect(Buffer.byteLength(JSON.stringify(response)) / 4).to.be.below(5000);
  });

  it('reads no longer texts of the jobs than it shows', async () => {
    let characters = 0;
    const gated = afterTheGate(async (query) => {
      const found = await query();
      characters += JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? Number(value) : value)).length;
      return found;
    });
    const acme = await newCompany();
    const asWriter = await acme.writer();
    for (const title of ['Um', 'Dois']) await asWriter.create({ ...largeJob, title });
    const client = new McpClient(await startApp({}, { db: gated }), 'sandbox', await acme.secret('sandbox', 'read'));
    for (const given of [{}, { updated_since: '1970-01-01T00:00:00Z' }]) {
      characters = 0;
      const { response } = await client.call('list_jobs', { ...given, view: 'summary' });
      expect(response.data).to.have.length(2);
      expect(characters).to.be.below(2 * largeJob.title.length + 5000);
    }
  });

  it('of a stored resource reads only the fields that it shows', async () => {
    const acme = await newCompany();
    const { id } = (await (await acme.writer()).create(fullJob())).body.data;
    const tenant = { companyId: acme.id, environment: 'sandbox' } as const;
    const { rows } = await listRows(db(), 'jobs', tenant, { page: 1, perPage: 9 }, ['id', 'title', 'valid_until']);
    const { title, valid_until } = fullJob();
    const set = Object.entries(rows[0] ?? {}).filter(([name, value]) => value !== null && !name.endsWith('_at'));
    expect(Object.fromEntries(set)).to.deep.equal({ id, title, valid_until });
  });

  it('instructions name what the credential may do', async () => {
    const acme = await newCompany();
    for (const [access, said] of [
      ['read', 'This credential only reads'],
      ['write', 'before you create'],
    ] as const) {
      const client = new McpClient(server(), 'sandbox', await acme.secret('sandbox', access));
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { instructions } = (await client.request('initialize', params)).body.result;
      expect(instructions).to.include(said).and.include('dashboard').and.include('view summary');
      if (access === 'read') expect(instructions).to.not.match(/create_job|update_job|withdraw_job/);
      const listed = (await client.request('tools/list')).body.result.tools;
      expect(listed.map(({ name }: { name: string }) => name)).to.include.members(instructions.match(/\b[a-z]+_\w+/g));
    }
  });
});
