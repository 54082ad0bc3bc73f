import { once } from 'node:events';
import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { declarations } from '../../src/operations/declarations.ts';
import { jobRules } from '../../src/operations/jobs/job.ts';
import { exportJobs, searchJobs } from '../../src/operations/jobs/people/search-jobs.ts';
import { rowsAtOnce } from '../../src/operations/kit/declare.ts';
import { exportRequests } from '../../src/operations/requests/people/list-requests.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import {
  actionContext,
  db,
  later,
  newJob,
  server,
  startApp,
  startWholeApp,
  type TestCompany,
} from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  linkIn,
  newAdministrator,
  newUser,
  type Page,
  PageClient,
  password,
  textOf,
} from '../helper/page-client.ts';
import { ask, head, open } from '../helper/raw-http.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { onCitus } from '../helper/test-database.ts';

/** Copies a company's production jobs `count` times, with a title. */
const copyJobs = ({ id }: TestCompany, count: number, title: string) =>
  db().$executeRaw`
    INSERT INTO jobs (company_id, environment, status, created_at, updated_at, title, body, contact_instructions, application_method,
                      category_id, district_id)
    SELECT company_id, environment, status, created_at, updated_at, ${title}::text, body, contact_instructions, application_method,
           category_id, district_id
      FROM jobs, generate_series(1, ${count}::int) WHERE company_id = ${id} AND environment = 'production'`;

/** The cells of a file as RFC 4180 reads it. */
function cellsOf(csv: string, separator = ','): string[][] {
  expect(csv.startsWith('\ufeff'), 'for Excel').to.equal(true);
  expect(csv.endsWith('\r\n')).to.equal(true);
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\r\n]*))(${separator}|\r\n)`, 'y');
  const rows: string[][] = [[]];
  const text = csv.slice(1);
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`no cell at ${at}: ${text.slice(at, at + 40)}`);
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== separator) rows.push([]);
  }
  return rows.slice(0, -1);
}

const rowsOf = (page: Page): string[][] => cellsOf(page.text).slice(1);
const titlesOf = (page: Page): (string | undefined)[] => rowsOf(page).map(([, title]) => title);

/** The file that the list at this address offers. */
const fileAt = async (client: PageClient, path: string): Promise<Page> =>
  client.get(linkIn(await client.get(path), 'a[href*=".csv"]'));

/** What the lines hold, piece by piece. */
async function piecesOf({ lines }: Awaited<ReturnType<typeof exportJobs>>, after = async () => undefined as unknown) {
  const pieces: string[] = [];
  for await (const line of lines) if (pieces.push(String(line)) === 2) await after();
  return pieces;
}

const isListed = (field: string): boolean => ['title', 'valid_until'].includes(field);

describe('the CSV file of a list', () => {
  it('has the columns of the list and all that its filter finds, newest first, and says what it is', async () => {
    const { acme, writer, id } = await newJob();
    const { id: plumber } = (await writer.create({ ...minimalJob, title: 'Canalizador, "urgente"; Évora' })).body.data;
    await (await acme.writer('sandbox')).create(minimalJob);
    const client = await asPerson(acme, 'sub');
    const file = await fileAt(client, '/jobs');
    expect(file.headers).to.include({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename=jobs-${acme.id}-production.csv`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const [names, ...rows] = cellsOf(file.text);
    const listed = Object.keys(searchJobs.columns).length;
    expect(names?.slice(listed)).to.deep.equal([
      'is_anonymous',
      ...[...jobRules.keys()].filter((one) => !isListed(one)),
    ]);
    expect(new Set(names).size).to.equal(names?.length);
    expect(names?.slice(0, 3)).to.deep.equal(['job_id', 'title', 'status']);
    expect(rows.map((row) => row.slice(0, 3))).to.deep.equal([
      [String(plumber), 'Canalizador, "urgente"; Évora', 'pending'],
      [String(id), minimalJob.title, 'pending'],
    ]);
    expect(titlesOf(await fileAt(client, '/jobs?text=canalizador'))).to.have.length(1);
    expect(titlesOf(await fileAt(client, '/jobs?environment=sandbox'))).to.have.length(1);
    const byTitle = await client.get('/jobs?text=e&sort=title');
    expect(textOf(byTitle), 'in an order of its own').to.include('Newest first. Times are in UTC.');
    expect(linkIn(byTitle, 'a[href*=".csv"]')).to.equal('/dashboard/jobs.csv?text=e');
    expect(rowsOf(await client.get('/jobs.csv?status=denied'))).to.deep.equal([]);
    expect(rowsOf(await client.get('/jobs.csv?from=2999-01-01T00:00'))).to.deep.equal([]);
    expect((await client.get('/jobs.csv?from=soon')).status).to.equal(422);
    const asked = ['HEAD /dashboard/jobs.csv', 'Host: localhost', `Cookie: ${client.cookie}`] as const;
    const { status, text } = await ask(server(), ...asked);
    expect([status, text], 'HEAD').to.deep.equal([200, '']);
  });

  it('is found again after a sign-in: its address leads to its list, with the same filter', async () => {
    const { acme } = await newJob();
    const logged = { protocol: 'rest', status: 200, credentialId: 1, latencyMs: 1, requestId: 'r1', at: new Date() };
    const data = { ...logged, companyId: acme.id, environment: 'production' } as const;
    await db().loggedRequest.createMany({ data: data as never });
    const query = `companyId=${acme.id}&environment=production`;
    for (const [portal, email, list] of [
      ['company', await newUser(acme, 'sub'), '/dashboard/jobs?text=eletricista'],
      ['company', await newUser(acme, 'sub'), '/dashboard/requests'],
      ['administrator', await newAdministrator(), `/admin/jobs?${query}`],
      ['administrator', await newAdministrator(), `/admin/requests?${query}`],
    ] as const) {
      const file = linkIn(await (await PageClient.signedIn(portal, email)).get(list), 'a[href*=".csv"]');
      const client = new PageClient(portal);
      const form = await client.follow(await client.get(file));
      const answer = await client.submit(form, '/sign-in', { email, password });
      expect([answer.status, answer.headers.location], file).to.deep.equal([303, list]);
      const page = await client.follow(answer);
      expect(linkIn(page, 'a[href*=".csv"]')).to.equal(file);
      expect((await client.get(file)).headers['content-disposition'], 'signed in').to.match(/^attachment/);
    }
  });

  it('has every field of a job, with a list’s items below each other, and of a request', async () => {
    const { acme, writer, id } = await newJob('production', fullJob());
    const client = await asPerson(acme);
    const [names = [], row = []] = cellsOf((await client.get('/jobs.csv')).text);
    const { data } = (await writer.get(`/jobs/${id}`)).body;
    for (const field of jobRules.keys()) {
      const value = Array.isArray(data[field]) ? data[field].join('\n') : (data[field] ?? '');
      // A phone number begins as a formula does.
      const cell = row[names.indexOf(field)]?.replace(/^'(?=[+])/, '');
      // Decimals are numbers here.
      if (/^\d+[.]\d+$/.test(value)) expect(Number(cell), field).to.equal(Number(value));
      else expect(cell, field).to.equal(String(value));
    }
    const [logged] = cellsOf((await client.get('/requests.csv')).text);
    expect(logged).to.include.members(['credential_id', 'job_id', 'fields', 'message', 'traceparent']);
  });

  it('is written as Excel reads it in Portuguese for a reader of Portuguese: semicolons, and decimals with a comma', async () => {
    const { acme } = await newJob('production', { ...fullJob(), title: 'Soldador; =1,=1', salary_min: 10.12 });
    const client = await asPerson(acme);
    const file = await client.get('/jobs.csv', { 'Accept-Language': 'pt' });
    const [names = [], row = []] = cellsOf(file.text, ';');
    const shown = (field: string) => row[names.indexOf(field)];
    expect([shown('title'), shown('salary_min')]).to.deep.equal(["Soldador;' =1,'=1", '10,12']);
    const [header = ''] = (await client.get('/requests.csv', { 'Accept-Language': 'pt' })).text.split('\r\n');
    expect(header.split(';')).to.include('request_id');
  });

  it('is read page by page, each row once', async () => {
    const { acme } = await newJob();
    await copyJobs(acme, 1250, 'Outra');
    const [id, at] = [acme.id, new Date()];
    await db().loggedRequest.createMany({
      data: Array.from({ length: 1100 }, (_, n) => ({
        ...{ companyId: id, environment: 'production', protocol: 'rest', status: 200, credentialId: 1, latencyMs: 1 },
        ...{ requestId: `r${n}`, at: new Date(at.getTime() - (n % 7)) },
      })) as never,
    });
    const client = await asPerson(acme);
    expect(new Set(rowsOf(await client.get('/jobs.csv')).map(([job]) => job)).size).to.equal(1251);
    const [names = [], ...logged] = cellsOf((await client.get('/requests.csv?status=200')).text);
    expect(new Set(logged.map((row) => row[names.indexOf('request_id')])).size).to.equal(1100);
    const scope = { companyId: id, environment: 'production' } as const;
    const found = await piecesOf(await exportJobs(actionContext(), { ...scope, text: minimalJob.title }));
    // A node of Citus gives the first job a greater id than the coordinator gives the copies.
    const others = Array(12).fill(0);
    const sizes = onCitus ? [1, 1, ...others] : [1, ...others, 1];
    expect(found.map((piece) => piece.split('\r\n').length - 1)).to.deep.equal(sizes);
    // What has not been read is not held: the header, the rows held, and a page without rows.
    const remove = () => db().job.deleteMany({ where: { companyId: id } });
    const pieces = await piecesOf(await exportJobs(actionContext(), scope), remove);
    expect(pieces.filter(Boolean)).to.have.length(1 + rowsAtOnce.resources);
    expect(await piecesOf(await exportJobs(actionContext(), scope))).to.have.length(1);
  });

  it('has no text that a spreadsheet takes for a formula, whatever separates its cells', async () => {
    const { acme, writer } = await newJob();
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', ' =1', '"=1', "'=1", '\tx', '\rx'];
    const inside = {
      'a;=1': "a;'=1",
      'a; "=1': `a;' "=1`,
      'x,=1+1,y': "x,'=1+1,y",
      'x, "+1': `x,' "+1`,
      'x|@y': "x|'@y",
      'a\v=1\u001f=1\u0085=1\u2028=1': "a\v'=1\u001f'=1\u0085'=1\u2028'=1",
      'a\t-1': "a\t'-1",
      'a\r\n@x': "a\r\n'@x",
      'a;b;+1': "a;b;'+1",
      '\t=1': "'\t'=1",
      '\n=1': "'\n'=1",
    };
    const harmless = ['1=1', 'a =1', 'x"=1', 'pedreiro-mor', 'Porto, Braga - Faro', 'a;b', 'Rua, n.º 3 - 2.º', '"'];
    for (const title of [...formulas, ...Object.keys(inside), ...harmless])
      await db()
        .job.updateMany({ where: { companyId: acme.id, title: minimalJob.title }, data: { title } })
        .then(() => writer.create(minimalJob));
    const titles = titlesOf(await (await asPerson(acme)).get('/jobs.csv'))
      .slice(1)
      .reverse();
    expect(titles.slice(0, formulas.length)).to.deep.equal(formulas.map((title) => `'${title}`));
    expect(titles.slice(formulas.length, -harmless.length)).to.deep.equal(Object.values(inside));
    expect(titles.slice(-harmless.length)).to.deep.equal(harmless);
  });

  it("has the rows of the person's own company only; an administrator's, those of the company in its address", async () => {
    const [one, other] = [await newJob(), await newJob()];
    const { server: at, settle } = await startWholeApp();
    for (const { acme } of [one, other]) await (await acme.reader('production', at)).get('/account');
    await settle();
    const client = await asPerson(one.acme);
    for (const query of ['', `companyId=${other.acme.id}&`, `company=${other.acme.id}&`]) {
      expect(rowsOf(await client.get(`/jobs.csv?${query}`)).map(([id]) => id)).to.deep.equal([String(one.id)]);
      expect(rowsOf(await client.get(`/requests.csv?${query}status=200`))).to.have.length(1);
    }
    const user = { kind: 'user', id: 1n, companyId: one.acme.id, role: 'main' } as const;
    for (const operation of [exportJobs, exportRequests])
      await expectRefused('not_allowed', () => operation(actionContext(user), { companyId: other.acme.id }));
    const administrator = await asAdministrator();
    const query = 'environment=production';
    await db().company.update({ where: { id: other.acme.id }, data: { name: `Exportada ${process.pid}` } });
    for (const named of [other.acme.id, `exportada+${process.pid}`]) {
      const jobs = await fileAt(administrator, `/jobs?companyId=${named}&${query}`);
      expect(rowsOf(jobs).map(([id]) => id)).to.deep.equal([String(other.id)]);
    }
    const requests = await fileAt(administrator, `/requests?companyId=${other.acme.id}&${query}&status=200`);
    expect(requests.headers['content-disposition']).to.contain(`requests-${other.acme.id}-production.csv`);
    expect(rowsOf(requests)).to.have.length(1);
    for (const path of ['/jobs', `/jobs?companyId=${other.acme.id}`, '/requests', `/jobs?${query}`])
      expect(linkIn(await administrator.get(path), 'a[href*=".csv"]'), path).to.equal('');
    expect((await client.get(`/admin/companies/${other.acme.id}/production/jobs.csv`)).status).to.not.equal(200);
  });

  it('takes no place of its company while the client reads none of it, and leaves room for the files of others', async () => {
    const { acme } = await newJob();
    await copyJobs(acme, 2500, 'x'.repeat(5000));
    // No connection is given up during the test, however slow the machine is.
    const at = await startApp({ SEND_TIMEOUT_SECONDS: '3600' });
    const [client, colleague] = [await asPerson(acme, 'main', at), await asPerson(acme, 'sub', at)];
    const [administrator, another] = [await asAdministrator(at), await asAdministrator(at)];
    const jobsOf = `/companies/${acme.id}/production/jobs.csv`;
    const files = [
      { reader: client, other: colleague, base: '/dashboard', path: '/jobs.csv' },
      { reader: administrator, other: another, base: '/admin', path: jobsOf },
    ];
    await Promise.all(
      files.map(async ({ reader, other, base, path }) => {
        const request = head(`GET ${base}${path} HTTP/1.1`, 'Host: localhost', `Cookie: ${reader.cookie}`);
        // As many as a person may have open, which is as many as a company has places.
        const sockets = Array.from({ length: 2 }, () => open(at).pause());
        for (const socket of sockets) {
          socket.write(request);
          await once(socket, 'readable');
        }
        expect((await reader.get(path)).status).to.equal(503);
        for (let n = 0; n < 3; n++) expect((await reader.get('/')).status).to.equal(200);
        expect(rowsOf(await other.get(`${path}?text=nothing`))).to.deep.equal([]);
        for (const socket of sockets) socket.destroy();
        expect(rowsOf(await reader.get(`${path}?text=nothing`))).to.deep.equal([]);
      }),
    );
  });
});

describe('every file', () => {
  it('is sent a row at a time, so that other requests run in between', async () => {
    const { acme } = await newJob('production', fullJob());
    const { server: at, settle } = await startWholeApp();
    const reader = await acme.reader('production', at);
    for (let n = 0; n < 2; n++) await reader.get('/account');
    await settle();
    await copyJobs(acme, 20, 'Duas\r\nlinhas, "entre aspas"');
    const files = declarations.filter(({ isFile }) => isFile);
    expect(files).to.have.length.of.at.least(3);
    for (const { command, answer } of files) {
      const { file } = await answer(actionContext(), { companyId: acme.id });
      let rows = 0;
      for await (const piece of file?.lines ?? []) {
        const read =
          typeof piece === 'string' && piece !== '' ? cellsOf(`\ufeff${piece.replace('\ufeff', '')}`) : [piece];
        expect(read, command).to.have.length(1);
        rows += 1;
      }
      expect(rows, command).to.be.greaterThan(1);
    }
  });
});

describe('everything of a company', () => {
  it('is exported by its main account as JSON Lines, also while suspended, recorded, without the names of those who run the service', async () => {
    const { acme } = await newJob('production', fullJob());
    const main = await asPerson(acme);
    await suspendCompany({ ...actionContext(), actor: { kind: 'operator', name: 'rui' } }, { companyId: acme.id });
    const file = await main.submit(await main.get('/account'), '/export');
    expect(file.headers['content-disposition']).to.equal(`attachment; filename=company-${acme.id}.jsonl`);
    const lines = (file.text || file.body.toString())
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    const records = new Set(lines.map(({ record }: { record: string }) => record));
    expect([...records]).to.include.members(['company', 'person', 'job', 'job_event', 'audit_entry']);
    const actors = lines.flatMap(({ actor }: { actor?: string }) => (actor === undefined ? [] : [actor]));
    expect(actors).to.include('operator');
    expect(actors.join()).to.not.match(/operator:|administrator:/);
    expect(JSON.stringify(lines)).to.not.match(/vaga_live_|argon/);
    const where = { companyId: acme.id, action: 'company.exported' };
    expect(await db().auditEntry.count({ where })).to.equal(1);
    const sub = await asPerson(acme, 'sub');
    expect(textOf(await sub.get('/account'))).to.not.contain('JSON Lines');
    expect((await sub.get('/export')).status).to.equal(403);
  });

  it('is recorded once a press: the same form is a repetition, at once and for two minutes, and gets the file again', async () => {
    const { acme } = await newJob();
    const main = await asPerson(acme);
    const entries = () => db().auditEntry.count({ where: { companyId: acme.id, action: 'company.exported' } });
    const page = await main.get('/account');
    const press = async (from = page) => (await main.submit(from, '/export')).headers['content-disposition'];
    const files = [...(await Promise.all([press(), press()])), await press()];
    expect(files).to.deep.equal(Array(3).fill(`attachment; filename=company-${acme.id}.jsonl`));
    expect(await entries()).to.equal(1);
    await press(await main.get('/export'));
    expect(await entries(), 'another form').to.equal(2);
    await later(121_000, () => Promise.all([press(), press()]));
    expect(await entries(), 'after two minutes').to.equal(3);
  });
});
