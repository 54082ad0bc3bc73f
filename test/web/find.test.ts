import { expect } from 'chai';
import { namedMax } from '../../src/auth/accounts-sql.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { actionContext, clock, db, freshEmail, newCompany, newJob, startWholeApp } from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  has,
  newAdministrator,
  newUser,
  newUserOfMany,
  type Page,
  type PageClient,
  password,
  textOf,
  textsOf,
} from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

let words = 0;
/** A word that no other name or title has. */
const word = (): string =>
  `Palavra${String.fromCharCode(...[...`${process.pid}${++words}`].map((digit) => 97 + +digit))}`;

describe("the administration's search", () => {
  let client: PageClient;
  before(async () => {
    client = await asAdministrator();
  });

  const search = (text: string) => client.get(`/find?${new URLSearchParams({ text })}`);
  const linksIn = ({ document }: Page, selector: string): (string | null)[] =>
    [...document.querySelectorAll(selector)].map((link) => link.getAttribute('href'));

  /** Where a text leads: to one page, or to those that are listed. */
  async function reached(text: string): Promise<unknown> {
    const page = await search(text);
    expect(page.status, text).to.be.oneOf([200, 303]);
    return page.status === 303 ? page.headers.location : linksIn(page, 'tbody th a');
  }

  it('and the list of jobs have production first, then test jobs', async () => {
    const title = word();
    const { acme, ref } = await newJob('production', { title });
    const writer = await acme.writer('sandbox');
    const id: number = (await writer.create({ ...minimalJob, title })).body.data.id;
    const jobs = `/admin/companies/${acme.id}`;
    const expected = [`${jobs}/production/jobs/${ref.jobId}`, `${jobs}/sandbox/jobs/${id}`];
    expect(await reached(title)).to.deep.equal(expected);
    for (const sort of ['newest', 'changed'])
      expect(linksIn(await client.get(`/jobs?text=${title}&sort=${sort}`), 'tbody th a')).to.deep.equal(expected);
  });

  it('leads straight to the one company, job, request or person that has the text', async () => {
    const [name, title] = [word(), word()];
    const acme = await newCompany({ name: `${name} & Irmãos` });
    const { server, settle } = await startWholeApp();
    const writer = await acme.writer('sandbox', server);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'.replace(/^.{8}/, String(process.pid).padStart(8, '0'));
    const { body, headers } = await writer.create({ ...minimalJob, title: `Técnico de ${title}` });
    const called = await writer.get('/account', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await settle();
    const company = `/admin/companies/${acme.id}`;
    const requests = `/admin/requests/${acme.id}/sandbox`;
    const email = await newUser(acme);
    for (const [text, path] of [
      [name, company],
      [`irmaos ${name.toUpperCase()}`, company],
      [` ${title} TECNICO `, `${company}/sandbox/jobs/${body.data.id}`],
      [`${name} ${title}`, `${company}/sandbox/jobs/${body.data.id}`],
      [String(headers['x-request-id']).toUpperCase(), `${requests}/${headers['x-request-id']}`],
      [traceId, `${requests}/${called.headers['x-request-id']}`],
      [email.toUpperCase(), company],
      [email.replace('@', '＠'), company],
    ] as const)
      expect(await reached(text), text).to.equal(path);
  });

  it('shows everybody who holds an address, by company', async () => {
    const [acme, other] = [await newCompany({ name: `Zelo ${word()}` }), await newCompany({ name: `Água ${word()}` })];
    const email = await newUser(acme);
    await createUser(actionContext(), { companyId: other.id, email, role: 'main', password });
    const holders = await search(email);
    expect(textsOf(holders, 'tbody .badge')).to.deep.equal(['Person', 'Person']);
    expect(linksIn(holders, 'tbody td a')).to.deep.equal([other, acme].map(({ id }) => `/admin/companies/${id}`));
  });

  it('reads a bounded number of companies of an address, and says that there are more', async () => {
    const holders = await search(await newUserOfMany());
    expect(textsOf(holders, 'tbody .badge')).to.deep.equal(Array(namedMax).fill('Person'));
    expect(textOf(holders)).to.include(`Only the oldest ${namedMax} are searched. There are more.`);
  });

  it('leads from the address of an administrator to the page of the list that has the account, and says if a company has a person with it', async () => {
    // More accounts than one page has.
    for (let n = 0; n < 26; n++)
      await db().administrator.create({ data: { email: freshEmail(), passwordHash: '', createdAt: clock.now() } });
    const email = await newAdministrator();
    try {
      for (const text of [email, email.toUpperCase(), email.replace('@', '＠')]) {
        const list = await client.follow(await search(text));
        expect(textsOf(list, 'tbody th'), text).to.include(email);
      }
      const acme = await newCompany();
      await createUser(actionContext(), { companyId: acme.id, email, role: 'main', password });
      const both = await search(email);
      expect(textsOf(both, 'tbody .badge')).to.deep.equal(['Person', 'Administrator']);
    } finally {
      await db().administrator.deleteMany({ where: { passwordHash: '' } });
    }
  });

  it('finds a company and a job by their ids, whatever names and titles have these digits', async () => {
    const { acme, id, adminPath } = await newJob();
    const own = await newJob('production', { title: `Turno ${acme.id} ou ${id}` });
    const named = await newCompany({ name: `Loja ${acme.id} ${id}` });
    const path = `/admin/companies/${acme.id}`;
    const other = await db().company.findUnique({ where: { id: BigInt(id) } });
    const job = await db().job.findFirst({ where: { id: acme.id } });
    const found = [await reached(`${acme.id}`), await reached(`${id}`)].map((one) => [one].flat());
    expect(found[0])
      .to.include(path)
      .and.to.have.length(job ? 2 : 1);
    expect(found[1])
      .to.include(`/admin${adminPath}`)
      .and.to.have.length(other ? 2 : 1);
    expect(found.flat()).to.not.include.members([`/admin${own.adminPath}`, `/admin/companies/${named.id}`]);
  });

  it('lists several, saying what each is, at most five of a kind, with a link to the rest', async () => {
    const text = word();
    const few = await newCompany({ name: `A ${text}` });
    const job = await newJob('production', { title: text });
    const mixed = await search(text);
    expect(linksIn(mixed, 'tbody th a')).to.deep.equal([`/admin/companies/${few.id}`, `/admin${job.adminPath}`]);
    expect(textsOf(mixed, 'tbody .badge')).to.deep.equal(['Company', 'Job']);
    expect(has(mixed, '.pager')).to.equal(false);
    for (let n = 0; n < 5; n++) {
      await newCompany({ name: `B ${text} ${n}` });
      await job.writer.create({ ...minimalJob, title: text });
    }
    const many = await search(text);
    expect(textsOf(many, 'tbody .badge')).to.deep.equal([...Array(5).fill('Company'), ...Array(5).fill('Job')]);
    expect(textOf(many)).to.include('12 results');
    expect(linksIn(many, '.pager a')).to.deep.equal([`/admin/companies?text=${text}`, `/admin/jobs?text=${text}`]);
    for (const path of linksIn(many, '.pager a')) expect(textOf(await client.get(path ?? ''))).to.include('6 results');
  });

  // hostile-forms.test.ts tests what every list answers.
  it('answers whatever looks like an id or an address', async () => {
    const ids = ['0', '1'.repeat(18), '00000000-0000-0000-0000-000000000000', 'f'.repeat(32)];
    const addresses = ['@', '@@@', '\0@x', `${'a'.repeat(200)}@x`, '\ud800@x'];
    const words = ["'; DROP TABLE jobs; --", '%', '_', '\\', '\u0301', '😀'.repeat(120), 'x '.repeat(120)];
    for (const text of [...ids, ...addresses, ...words])
      expect((await search(text)).status, text).to.be.oneOf([200, 303]);
    expect((await search('x'.repeat(256))).status).to.equal(422);
    for (const query of ['', '?text=', '?text=+', '?text[]=x', '?page=x&before=1'])
      expect((await client.get(`/find${query}`)).status, query).to.equal(200);
    // A test of any texts may have left one thing with this character.
    expect((await client.get('/find?text=%ff%00&text=b')).status).to.be.oneOf([200, 303]);
  });

  it('stands in the head of every page of the administration except its own, and nowhere in the dashboard', async () => {
    const box = 'header search form[action="/admin/find"] input[type=search][name=text][aria-label]';
    for (const path of ['', '/jobs', '/account', '/nothing'])
      expect(has(await client.get(path), box), path).to.equal(true);
    const own = await client.get('/find?text=qxzw+kjvq');
    expect([has(own, box), has(own, 'main search #text[value="qxzw kjvq"]')]).to.deep.equal([false, true]);
    const { acme } = await newJob();
    const person = await asPerson(acme);
    for (const path of ['', '/jobs', '/account']) expect(has(await person.get(path), '[action*=find]')).to.equal(false);
    expect((await person.get('/find?text=x')).status).to.equal(404);
    expect(has(await person.get('/admin/sign-in'), '[action*=find]')).to.equal(false);
  });
});
