import { expect } from 'chai';
import type { Response } from 'supertest';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { actionContext, clock, databaseUrl, db, newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import type { RestClient } from '../helper/rest-client.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus, onServer } from '../helper/test-database.ts';

/** Changes a job, or withdraws it without fields, only if it is as `ifMatch` says. */
const change = (client: RestClient, id: number, ifMatch: string, fields?: object): Promise<Response> =>
  client.send(fields ? 'PATCH' : 'DELETE', `/jobs/${id}`, fields, { 'If-Match': ifMatch });

const etagOf = async (client: RestClient, id: number): Promise<string> =>
  (await client.get(`/jobs/${id}`)).headers.etag ?? '';

/** A new job as it is shown, and its ETag. */
const newJob = async (client: RestClient, fields: object = {}) => {
  const { body, headers } = await client.create({ ...minimalJob, ...fields });
  return { job: body.data, id: body.data.id as number, etag: headers.etag ?? '' };
};

/**
 * Sends while a transaction of its own holds the job's row, and then sets the job's title. Needs a PostgreSQL server: the embedded
 * database has one connection, which nobody can hold.
 */
const behindAnother = (databaseUrl: string, id: number, title: string, send: () => Promise<Response>) =>
  onServer(databaseUrl, async (client) => {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT company_id FROM jobs WHERE id = $1', [id]);
    const job = [rows[0]?.company_id, id];
    await client.query('SELECT FROM jobs WHERE company_id = $1 AND id = $2 FOR UPDATE', job);
    const sent = send();
    const isAwaited = onCitus
      ? 'SELECT FROM citus_lock_waits WHERE blocking_gpid = citus_backend_gpid()'
      : 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
    while ((await client.query(isAwaited)).rowCount === 0);
    const set = `UPDATE jobs SET title = $3, updated_at = updated_at + interval '1 ms' WHERE company_id = $1 AND id = $2`;
    await client.query(set, [...job, title]);
    await client.query('COMMIT');
    return sent;
  });

describe("a job's ETag", () => {
  it('is the same on create, replay, read and a change that changes nothing, over both protocols', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer();
    const made = await asWriter.create(minimalJob, 'k');
    const { id } = made.body.data;
    const { etag } = made.headers;
    const { updated_at } = made.body.data;
    expect(etag).to.equal(`"${id}/${updated_at}/pending/Oficina%20Exemplo"`);
    for (const { status, headers } of [
      await asWriter.create(minimalJob, 'k'),
      await asWriter.get(`/jobs/${id}`),
      await asWriter.patch(id, { title: minimalJob.title }),
    ])
      expect([status, headers.etag]).to.deep.equal([200, etag]);
    const asAgent = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    const { body } = await asAgent.request('tools/call', { name: 'get_job', arguments: { id } });
    expect(body.result.structuredContent.etag).to.equal(etag);
  });

  it('differs after each change, on expiry, under another company name and between equal jobs', async () => {
    const acme = await newCompany({ autoPublish: true });
    const asWriter = await acme.writer('production');
    const days = { valid_until: inDays(2) };
    const { id, etag } = await newJob(asWriter, days);
    const seen = [etag, (await newJob(asWriter, days)).etag];
    seen.push((await asWriter.patch(id, { title: 'Mudado' })).headers.etag ?? '');
    await db().company.update({ where: { id: acme.id }, data: { name: 'Oficina Nova' } });
    seen.push(await etagOf(asWriter, id));
    clock.aheadMs = 3 * 86_400_000;
    seen.push(await etagOf(asWriter, id));
    await asWriter.withdraw(id);
    seen.push(await etagOf(asWriter, id));
    expect(new Set(seen).size).to.equal(6);
  });
});

describe('If-Match', () => {
  it('412 names the current ETag, changes nothing, and the job can then be changed', async () => {
    const asWriter = await (await newCompany()).writer();
    const { id, etag } = await newJob(asWriter);
    const theirs = await asWriter.patch(id, { title: 'Deles' });
    const current_etag = theirs.headers.etag;
    for (const fields of [{ title: 'Meu' }, undefined]) {
      const { status, headers, body } = await change(asWriter, id, etag, fields);
      expect([status, headers.etag]).to.deep.equal([412, current_etag]);
      expect(body.error.details).to.deep.equal({ reason: 'changed', current_etag });
    }
    expect((await asWriter.get(`/jobs/${id}`)).body).to.deep.equal(theirs.body);
    expect((await change(asWriter, id, `"other", ${current_etag}`, { title: 'Meu' })).status).to.equal(200);
  });

  it('the status of several errors at once: 403 scope, 404, 422 of the request, 412, 422 of the job, 403 permission', async () => {
    const acme = await newCompany();
    const [asWriter, asReader] = [await acme.writer('production'), await acme.reader('production')];
    const { id, etag } = await newJob(asWriter, { salary_min: 1200 });
    await setDistricts(actionContext(), { companyId: acme.id, districts: [minimalJob.district_id] });
    const [elsewhere, rule, schema] = [{ district_id: 12 }, { salary_max: 1 }, { colour: 'red' }];
    const rows: [RestClient, number, string, object, number, string | undefined][] = [
      [asReader, id, 'malformed', schema, 403, 'scope'],
      [asWriter, 999_999_999, 'malformed', schema, 404, 'job'],
      [asWriter, 999_999_999, '"other"', rule, 404, 'job'],
      [asWriter, id, 'malformed', { title: 'Meu' }, 422, 'If-Match'],
      [asWriter, id, '"other"', schema, 422, 'colour'],
      [asWriter, id, '"other"', { ...rule, ...elsewhere }, 412, 'changed'],
      [asWriter, id, etag, { ...rule, ...elsewhere }, 422, 'salary_max'],
      [asWriter, id, etag, elsewhere, 403, 'permission'],
      [asWriter, id, etag, { title: 'Meu' }, 200, undefined],
    ];
    for (const [client, job, ifMatch, fields, status, because] of rows) {
      const answer = await change(client, job, ifMatch, fields);
      const { details = {} } = answer.body.error ?? {};
      const named = status === 422 ? Object.keys(details).join() : details.reason;
      expect([answer.status, named]).to.deep.equal([status, because]);
    }
  });

  it('of simultaneous changes and withdrawals with one ETag, exactly one happens', async () => {
    const asWriter = await (await newCompany()).writer();
    for (let round = 0; round < 8; round++) {
      const { job, id, etag } = await newJob(asWriter);
      const changes = [{ title: 'Um' }, { requirements: 'Dois' }, { experience_years: 3 }, { title: 'Um' }, undefined];
      // Each kind is sent first in some round.
      const sent = [...changes.slice(round % 5), ...changes.slice(0, round % 5)];
      const answers = await Promise.all(sent.map((fields) => change(asWriter, id, etag, fields)));
      const done = answers.filter(({ status }) => status !== 412);
      expect(done).to.have.length(1);
      const now = (await asWriter.get(`/jobs/${id}`)).body;
      if (done[0]?.status === 200) expect(now).to.deep.equal(done[0].body);
      else expect(now.data).to.deep.equal({ ...job, status: 'inactive', updated_at: now.data.updated_at });
    }
  });

  it('a change or withdrawal that waited for another change overwrites nothing', async function () {
    const url = databaseUrl();
    if (url === undefined) return this.skip();
    const asWriter = await (await newCompany()).writer();
    for (const fields of [{ title: 'Meu' }, undefined]) {
      const { job, id, etag } = await newJob(asWriter);
      const { status, body } = await behindAnother(url, id, 'Deles', () => change(asWriter, id, etag, fields));
      expect([status, body.error.details.current_etag]).to.deep.equal([412, await etagOf(asWriter, id)]);
      const { updated_at, ...now } = (await asWriter.get(`/jobs/${id}`)).body.data;
      expect({ ...now, updated_at: job.updated_at }).to.deep.equal({ ...job, title: 'Deles' });
      expect(Date.parse(updated_at)).to.equal(Date.parse(job.updated_at) + 1);
    }
  });

  it('withdrawing an inactive job again is 204, whatever the ETag', async () => {
    const asWriter = await (await newCompany()).writer();
    const { id, etag } = await newJob(asWriter);
    for (const ifMatch of [etag, etag, '"other"', '*'])
      expect((await change(asWriter, id, ifMatch)).status).to.equal(204);
    expect((await change(asWriter, id, etag, { title: 'Meu' })).status).to.equal(412);
  });
});
