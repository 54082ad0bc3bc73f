import { expect } from 'chai';
import pg from 'pg';
import type { Response } from 'supertest';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { actionContext, clock, databaseUrl, db, newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus } from '../helper/test-database.ts';

const dayMs = 86_400_000;

/** Changes a job, or withdraws it without fields, only if it is as `ifMatch` says. */
const change = (client: RestClient, id: number, ifMatch: string, fields?: object): Promise<Response> =>
  client.send(fields ? 'PATCH' : 'DELETE', `/jobs/${id}`, fields, { 'If-Match': ifMatch });

const etagOf = async (client: RestClient, id: number): Promise<string> =>
  (await client.get(`/jobs/${id}`)).headers.etag ?? '';

/** A lock on a job's row, held by a transaction of its own. */
interface JobLock {
  /** Resolves when somebody waits for the lock. */
  waiter(): Promise<void>;
  /** Sets the job's title and commits. */
  release(title: string): Promise<void>;
}

/** Needs a PostgreSQL server: the embedded database has one connection, which nobody can hold. */
async function lockJob(databaseUrl: string, id: number): Promise<JobLock> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  const { rows } = await client.query('SELECT company_id FROM jobs WHERE id = $1', [id]);
  const job = [rows[0]?.company_id, id];
  await client.query('SELECT FROM jobs WHERE company_id = $1 AND id = $2 FOR UPDATE', job);
  const isAwaited = onCitus
    ? 'SELECT FROM citus_lock_waits WHERE blocking_gpid = citus_backend_gpid()'
    : 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  return {
    waiter: async () => {
      while ((await client.query(isAwaited)).rowCount === 0);
    },
    release: async (title) => {
      const change = 'UPDATE jobs SET title = $3, revision = revision + 1 WHERE company_id = $1 AND id = $2';
      await client.query(change, [...job, title]);
      await client.query('COMMIT');
      await client.end();
    },
  };
}

describe("a job's ETag", () => {
  it('is the same on create, replay, read and a change that changes nothing, over both protocols', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('sandbox');
    const made = await asWriter.create(minimalJob, 'k');
    const { id } = made.body.data;
    const { etag } = made.headers;
    expect(etag).to.match(/^"[\w-]{27}"$/);
    const again = [
      await asWriter.create(minimalJob, 'k'),
      await asWriter.get(`/jobs/${id}`),
      await asWriter.patch(id, { title: minimalJob.title }),
    ];
    expect(again.map(({ status, headers }) => [status, headers.etag])).to.deep.equal(Array(3).fill([200, etag]));
    const asAgent = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    const { body } = await asAgent.request('tools/call', { name: 'get_job', arguments: { id } });
    expect(body.result.structuredContent.etag).to.equal(etag);
  });

  it('differs after each change, on expiry, under another company name and between equal jobs', async () => {
    const acme = await newCompany({ autoPublish: true });
    const asWriter = await acme.writer('production');
    const job = { ...minimalJob, valid_until: inDays(2) };
    const { id } = (await asWriter.create(job)).body.data;
    const seen = [await etagOf(asWriter, id), await etagOf(asWriter, (await asWriter.create(job)).body.data.id)];
    seen.push((await asWriter.patch(id, { title: 'Mudado' })).headers.etag ?? '');
    await db().company.update({ where: { id: acme.id }, data: { name: 'Oficina Nova' } });
    seen.push(await etagOf(asWriter, id));
    try {
      clock.aheadMs = 3 * dayMs;
      seen.push(await etagOf(asWriter, id));
    } finally {
      clock.aheadMs = 0;
    }
    await asWriter.withdraw(id);
    seen.push(await etagOf(asWriter, id));
    expect(new Set(seen).size).to.equal(6);
  });
});

describe('If-Match', () => {
  it('412 names the current ETag, changes nothing, and the job can then be changed', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const made = await asWriter.create(minimalJob);
    const { id } = made.body.data;
    const theirs = await asWriter.patch(id, { title: 'Deles' });
    for (const fields of [{ title: 'Meu' }, undefined]) {
      const refused = await change(asWriter, id, made.headers.etag ?? '', fields);
      expect(refused.status).to.equal(412);
      expect(refused.headers.etag).to.equal(theirs.headers.etag);
      expect(refused.body.error.details).to.deep.equal({ reason: 'changed', current_etag: theirs.headers.etag });
    }
    expect((await asWriter.get(`/jobs/${id}`)).body).to.deep.equal(theirs.body);
    const lists = `"other", ${theirs.headers.etag}`;
    expect((await change(asWriter, id, lists, { title: 'Meu' })).status).to.equal(200);
  });

  it('the status of several errors at once: 403 scope, 422 of the request, 404, 412, 422 of the job, 403 permission', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const asReader = await acme.reader('production');
    const { id } = (await asWriter.create({ ...minimalJob, salary_min: 1200 })).body.data;
    await setDistricts(actionContext(), { companyId: acme.id, districts: [minimalJob.district_id] });
    const [elsewhere, rule, schema] = [{ district_id: 12 }, { salary_max: 1 }, { colour: 'red' }];
    const current = await etagOf(asWriter, id);
    const rows: [RestClient, number, string, object, number, string][] = [
      [asReader, id, 'malformed', schema, 403, 'scope'],
      [asWriter, 999_999_999, 'malformed', { title: 'Meu' }, 422, 'If-Match'],
      [asWriter, 999_999_999, '"other"', schema, 422, 'colour'],
      [asWriter, 999_999_999, '"other"', rule, 404, 'job'],
      [asWriter, id, '"other"', { ...rule, ...elsewhere }, 412, 'changed'],
      [asWriter, id, current, { ...rule, ...elsewhere }, 422, 'salary_max'],
      [asWriter, id, current, elsewhere, 403, 'permission'],
      [asWriter, id, current, { title: 'Meu' }, 200, ''],
    ];
    for (const [client, job, ifMatch, fields, status, because] of rows) {
      const answer = await change(client, job, ifMatch, fields);
      expect(answer.status, because).to.equal(status);
      const { details = {} } = answer.body.error ?? {};
      if (status === 422) expect(Object.keys(details)).to.deep.equal([because]);
      else expect(details.reason ?? '').to.equal(because);
    }
  });

  it('of simultaneous changes and withdrawals with one ETag, exactly one happens', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    for (let round = 0; round < 8; round++) {
      const { body, headers } = await asWriter.create(minimalJob);
      const { id } = body.data;
      const changes = [{ title: 'Um' }, { requirements: 'Dois' }, { experience_years: 3 }, { title: 'Um' }, undefined];
      // Each kind is sent first in some round.
      const sent = [...changes.slice(round % 5), ...changes.slice(0, round % 5)];
      const answers = await Promise.all(sent.map((fields) => change(asWriter, id, headers.etag ?? '', fields)));
      const done = answers.filter(({ status }) => status !== 412);
      expect(done.map(({ status }) => status)).to.have.length(1);
      const now = (await asWriter.get(`/jobs/${id}`)).body;
      if (done[0]?.status === 200) expect(now).to.deep.equal(done[0].body);
      else expect(now.data).to.deep.equal({ ...body.data, status: 'inactive', updated_at: now.data.updated_at });
      const revisions = await db().job.findMany({ where: { id: BigInt(id) }, select: { revision: true } });
      expect(revisions).to.deep.equal([{ revision: 2 }]);
    }
  });

  it('a change or withdrawal that waited for another change overwrites nothing', async function () {
    const url = databaseUrl();
    if (url === undefined) return this.skip();
    const asWriter = await (await newCompany()).writer('sandbox');
    for (const fields of [{ title: 'Meu' }, undefined]) {
      const { body, headers } = await asWriter.create(minimalJob);
      const { id } = body.data;
      const lock = await lockJob(url, id);
      const mine = change(asWriter, id, headers.etag ?? '', fields);
      await lock.waiter();
      await lock.release('Deles');
      const { status, body: refused } = await mine;
      expect(status).to.equal(412);
      expect(refused.error.details.current_etag).to.equal(await etagOf(asWriter, id));
      expect((await asWriter.get(`/jobs/${id}`)).body.data).to.deep.equal({ ...body.data, title: 'Deles' });
    }
  });

  it('withdrawing an inactive job again is 204, whatever the ETag', async () => {
    const asWriter = await (await newCompany()).writer('sandbox');
    const { body, headers } = await asWriter.create(minimalJob);
    const { id } = body.data;
    const etag = headers.etag ?? '';
    for (const ifMatch of [etag, etag, '"other"', '*'])
      expect((await change(asWriter, id, ifMatch)).status).to.equal(204);
    expect((await change(asWriter, id, etag, { title: 'Meu' })).status).to.equal(412);
  });
});
