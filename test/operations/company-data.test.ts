import { expect } from 'chai';
import { Prisma } from '../../generated/prisma/client.ts';
import { storedModels } from '../../generated/stored-fields.ts';
import { eraseCompany, exportCompany } from '../../src/operations/companies/people/erase-company.ts';
import { named } from '../../src/operations/kit/clauses-sql.ts';
import { rowsAtOnce, type Shown } from '../../src/operations/kit/declare.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, has, newUser, PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** How many of a company's rows each table has, by the database's own list of tables. */
async function rowsOf({ id }: Pick<TestCompany, 'id'>): Promise<Record<string, number>> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'company_id'`;
  const counted = tables.map(async ({ name }) => {
    const sql = Prisma.sql`SELECT count(*)::int AS rows FROM ${named(name)} WHERE company_id = ${id}`;
    return [name, (await db().$queryRaw<{ rows: number }[]>(sql))[0]?.rows ?? 0] as const;
  });
  return Object.fromEntries((await Promise.all(counted)).filter(([, rows]) => rows > 0));
}

/** A company with some of everything, and more jobs than an export reads at once. */
async function newData() {
  const acme = await newCompany({ name: 'Oficina “Exemplo”' });
  const [email, writer] = [await newUser(acme), await acme.writer('production')];
  const made = await writer.create(minimalJob);
  await writer.patch(`/jobs/${made.body.data.id}`, { title: 'Outro' });
  await (await acme.writer('sandbox')).create(minimalJob);
  await db().$executeRaw`
    INSERT INTO jobs (company_id, environment, status, created_at, updated_at, title, body, contact_instructions, application_method)
    SELECT company_id, environment, status, created_at, updated_at, title, body, contact_instructions, application_method
      FROM jobs, generate_series(1, 1250) WHERE company_id = ${acme.id} AND environment = 'production'`;
  const entry = {
    companyId: acme.id,
    environment: 'sandbox',
    requestId: 'one',
    protocol: 'rest',
    status: 200,
  } as const;
  await db().loggedRequest.createMany({ data: { ...entry, credentialId: 1n, latencyMs: 1, at: new Date() } });
  return { acme, email, writer };
}

async function linesOf({ id: companyId }: TestCompany): Promise<Shown[]> {
  const lines: Shown[] = [];
  for await (const line of (await exportCompany(actionContext(), { companyId })).lines) lines.push(Object(line));
  return lines;
}

describe('all data stored about a company', () => {
  it('is exported few rows at a time: every row once and in order, except keys and counts, without secrets or other companies', async () => {
    const [{ acme, email }] = [await newData(), await newData()];
    const lines = await linesOf(acme);
    const counts: Record<string, number> = {};
    for (const { record } of lines) counts[String(record)] = (counts[String(record)] ?? 0) + 1;
    const rows = await rowsOf(acme);
    expect(rows.jobs).to.equal(1252);
    expect(counts).to.deep.equal({
      company: 1,
      subscription: 1,
      person: 1,
      credential: rows.credentials,
      job: rows.jobs,
      job_event: rows.job_events,
      request: counts.request,
      audit_entry: rows.audit_entries,
    });
    const jobs = lines.filter(({ record }) => record === 'job').map(({ environment, id }) => `${environment} ${id}`);
    expect(counts.request).to.be.at.least(1);
    expect(new Set(jobs).size).to.equal(1252);
    expect(lines.find(({ record }) => record === 'person')).to.include({ email });
    expect(new Set(lines.map((line) => line.company_id ?? line.id))).to.deep.equal(new Set([Number(acme.id)]));
    expect(JSON.stringify(lines)).to.not.match(/hash|argon|vaga_(test|live)_|_folded/);
    await expectRefused('unknown_company', () => exportCompany(actionContext(), { companyId: 10n ** 17n }));
    const read: unknown[] = [];
    for await (const line of (await exportCompany(actionContext(), { companyId: acme.id })).lines) {
      const { record } = Object(line);
      // Unread rows are not in memory.
      if (record === 'job' && read.push(line) === 1) await db().job.deleteMany({ where: { companyId: acme.id } });
    }
    expect(read).to.have.length(rowsAtOnce.resources);
  });

  it('is downloaded by an administrator, and erased with a reason and the name: all but the audit trail, and no other company’s', async () => {
    const [{ acme, email, writer }, other] = [await newData(), await newData()];
    const [client, path] = [await asAdministrator(), `/companies/${acme.id}`];
    const file = await client.submit(await client.get(path), `${path}/export`);
    expect(file.headers).to.include({ 'content-type': 'application/jsonl', 'cache-control': 'no-store' });
    expect(file.headers['content-disposition']).to.equal(`attachment; filename=company-${acme.id}.jsonl`);
    const text = Buffer.isBuffer(file.body) ? file.body.toString() : file.text;
    expect(text.match(/"record": ?"job"[,}]/g)).to.have.length(1252);
    const [before, others] = [await rowsOf(acme), await rowsOf(other.acme)];
    const { request_log: _, ...kept } = others;
    const person = await PageClient.signedIn('company', email);
    const personId = (await db().user.findFirstOrThrow({ where: { companyId: acme.id } })).id;
    const typed = { name: 'Oficina', reason: 'A pedido.' };
    expect((await client.send(`${path}/erase`, typed)).text).to.match(/must be the company\S{1,6}s name/);
    expect(await rowsOf(acme)).to.include({ users: 1, jobs: 1252 });
    const erased = await client.send(`${path}/erase`, { ...typed, name: 'Oficina “Exemplo”' });
    expect([erased.status, erased.headers.location]).to.deep.equal([303, '/admin/companies']);
    expect(await rowsOf(acme)).to.deep.equal({ audit_entries: (before.audit_entries ?? 0) + 1 });
    expect(await db().company.findUnique({ where: { id: acme.id } })).to.equal(null);
    const entries = await db().auditEntry.findMany({ where: { companyId: acme.id }, orderBy: { id: 'desc' } });
    expect(entries[0]).to.deep.include({ action: 'company.erased', details: { reason: 'A pedido.' } });
    expect(entries.map(({ details }) => JSON.stringify(details)).join()).to.not.match(/@|Exemplo/);
    expect(await rowsOf(other.acme)).to.deep.include(kept);
    expect((await writer.get('/account')).status).to.equal(401);
    expect(await db().pageSession.count({ where: { portal: 'company', personId } })).to.equal(0);
    expect((await person.get('/')).headers.location).to.match(/sign-in/);
    expect((await client.get(path)).status).to.equal(404);
    const trail = await client.get(`/audit?companyId=${acme.id}`);
    expect([
      textOf(trail, 'tbody').includes(`Company ${acme.id}`),
      has(trail, `main a[href^="/admin${path}"]`),
    ]).to.deep.equal([true, false]);
    await expectRefused('unknown_company', () => eraseCompany(actionContext(), { companyId: acme.id, name: 'x' }));
  });

  it('is also in tables that the contract names with a word of SQL: exported, deleted by a reset, and erased', async () => {
    const [{ id }] = [await newCompany()];
    const words = await db().$queryRaw<
      { word: string }[]
    >`SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')`;
    const names = words.map(({ word }) => word);
    const forEach = (statement: string) =>
      db().$executeRawUnsafe(`DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T') LOOP EXECUTE format('${statement}', name); END LOOP; END $$`);
    Object.assign(storedModels, Object.fromEntries(names.map((word) => [word, word])));
    // A copy of its own, of the tables that the contract would have.
    const copy = new URL('../../src/operations/companies/company-data-sql.js?words', import.meta.url).href;
    const sql: typeof import('../../src/operations/companies/company-data-sql.ts') = await import(copy).finally(() => {
      for (const word of names) Reflect.deleteProperty(storedModels, word);
    });
    await forEach('CREATE TABLE %I (company_id bigint, environment environment, id bigint)');
    try {
      await forEach(`INSERT INTO %I VALUES (${id}, ''sandbox'', 1), (${id}, ''production'', 2)`);
      const read = new Set<unknown>();
      for await (const { record } of sql.readCompany(db(), id, { hasStaff: true })) read.add(record);
      expect([...read]).to.include.members(names);
      const { deleted } = await db().$transaction((tx) => sql.deleteSandbox(tx, id));
      expect(deleted).to.include(Object.fromEntries(names.map((word) => [word, 1])));
      await sql.deleteRows(db(), id);
      const left = await rowsOf({ id });
      expect(names.filter((word) => word in left)).to.deep.equal([]);
    } finally {
      await forEach('DROP TABLE %I');
    }
  });
});
