import { expect } from 'chai';
import type { Actor } from '../../src/domain/actor.ts';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { setDistricts } from '../../src/operations/companies/people/set-districts.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { withdrawCompanyJob } from '../../src/operations/jobs/people/withdraw-company-job.ts';
import { addCategory, deactivateCategory } from '../../src/operations/reference/people/change-category.ts';
import { removeUser } from '../../src/operations/users/people/account.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import {
  actionContext,
  administratorActor,
  clock,
  db,
  freshEmail,
  newCompany,
  newJob,
  type TestCompany,
} from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  has,
  linkIn,
  newAdministrator,
  newUser,
  PageClient,
  textOf,
  textsOf,
  valueIn,
} from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

describe('the activity page', () => {
  it('lists who did what and why, newest first; names credentials and people, but no administrator and no other company', async () => {
    const { acme, ref, writer } = await newJob();
    const { companyId } = ref;
    const other = { ...ref, jobId: BigInt((await writer.create(minimalJob)).body.data.id) };
    const [main, gone] = [await newUser(acme), await newUser(acme, 'sub')];
    const { id } = await db().user.findFirstOrThrow({ where: { email: main } });
    const user: Actor = { kind: 'user', id, companyId, role: 'main' };
    const administrator = await newAdministrator();
    const { id: adminId } = await db().administrator.findUniqueOrThrow({ where: { email: administrator } });
    const admin = actionContext({ kind: 'administrator', id: adminId });
    await (await newCompany({ name: 'Outra Empresa' })).issue('production', 'write');
    const issued = { companyId, environment: 'production', access: 'write', label: 'Sítio <b>' } as const;
    const { credentialId } = await issueCredential(actionContext(user), issued);
    await suspendCompany(admin, { companyId, reason: 'Falta de <pagamento>.' });
    await revokeCredential(admin, { companyId, credentialId, reason: 'Foi publicada.' });
    await withdrawCompanyJob(admin, { ...ref, reason: 'Anúncio antigo.' });
    await removeJob(admin, { ...ref, reason: 'Anúncio falso.' });
    await removeUser(actionContext(), { email: gone, reason: 'Saiu.' });
    const client = await PageClient.signedIn('company', main);
    const page = await client.get('/activity');
    expect(textsOf(page, '#action option'), 'which no company sees').to.not.include('Company erased');
    expect(page.text).not.to.contain(administrator).and.not.contain('Outra Empresa');
    const rows = textsOf(page, 'tbody tr');
    expect(rows[0]).to.contain('Account removed');
    for (const [action, ...texts] of [
      ['Company suspended', 'Administrator', 'reason: Falta de <pagamento>.'],
      ['Credential revoked', '"Sítio <b>"', 'reason: Foi publicada.'],
      ['Job withdrawn', 'reason: Anúncio antigo.'],
      ['Job permanently removed', 'reason: Anúncio falso.'],
      ['Account removed', 'reason: Saiu.'],
      ['Credential issued', main, '"Sítio <b>"'],
    ] as const)
      for (const text of texts) expect(rows.filter((row) => row.includes(action)).join(), action).to.include(text);
    expect(rows.join()).not.to.match(/Credential \d|credential id/);
    const linksOn = async (visitor: PageClient, at: string) =>
      [...(await visitor.get(at)).document.querySelectorAll('tbody a[href*="/jobs/"]')].map((link) => [
        link.getAttribute('href'),
        link.closest('tr')?.querySelector('th')?.textContent,
      ]);
    expect(await linksOn(client, '/activity')).to.deep.equal([]);
    await withdrawCompanyJob(admin, { ...other, reason: 'Repetida.' });
    const path = `/production/jobs/${other.jobId}`;
    const rest = 'Eletricista, reason: Repetida.';
    expect(await linksOn(client, '/activity')).to.deep.equal([
      [`/dashboard/jobs/production/${other.jobId}`, `Job withdrawn by Administrator: ${rest}`],
    ]);
    const inAdministration = await linksOn(await asAdministrator(), `/audit?companyId=${companyId}`);
    expect(inAdministration).to.deep.equal([
      [`/admin/companies/${companyId}${path}`, `Job withdrawn by ${administrator}: ${rest}`],
    ]);
    const portuguese = textOf(await client.get('/activity', { 'Accept-Language': 'pt' }), 'tbody');
    expect(portuguese).to.include('motivo: Falta de <pagamento>.').and.include('"Sítio <b>"');
  });

  it('has no bare ids, and who is shown is a link to its filter, into which an address or an actor can be typed', async () => {
    const acme = await newCompany();
    const email = await newUser(acme);
    const [client, administrator] = [await PageClient.signedIn('company', email), await asAdministrator()];
    const user = { kind: 'user', ...(await db().user.findFirstOrThrow({ where: { email } })) } as const;
    const issued = { companyId: acme.id, environment: 'sandbox', access: 'read', label: 'Painel', days: 30 } as const;
    await issueCredential(actionContext(user), issued);
    await setDistricts(actionContext({ kind: 'operator', name: 'Ana Sousa' }), {
      companyId: acme.id,
      districts: [11, 13],
    });
    const sentence = `Credential issued by ${email}: "Painel", read, 30 days`;
    const districts = (await db().district.findMany({ where: { id: { in: [11, 13] } } }))
      .map(({ name }) => name)
      .sort();
    const names = async (visitor: PageClient, path: string) => textsOf(await visitor.get(path), 'tbody th');
    const own = await names(client, '/activity');
    expect(own).to.include(sentence);
    expect(own.join()).to.not.match(/\bids?\b|Ana Sousa/);
    const all = await names(administrator, `/audit?companyId=${acme.id}`);
    expect(all).to.include(sentence);
    for (const name of districts) expect(all.find((text) => text.includes('Operator (Ana Sousa)'))).to.include(name);
    for (const [visitor, list, who, typed = who] of [
      [client, '/activity?', email],
      [administrator, `/audit?companyId=${acme.id}&`, email],
      [administrator, `/audit?companyId=${acme.id}&`, 'Operator (Ana Sousa)', 'operator:Ana Sousa'],
      [administrator, `/audit?companyId=${acme.id}&`, 'Operator', 'operator'],
    ] as const) {
      const page = await visitor.get(list);
      const link = [...page.document.querySelectorAll('tbody th a')].find(({ textContent }) => textContent === who);
      const linked = await visitor.get(link?.getAttribute('href') ?? '');
      expect(valueIn(linked, '#actor')).to.equal(typed);
      for (const found of [linked, await visitor.get(`${list}actor=${encodeURIComponent(typed)}`)]) {
        const texts = textsOf(found, 'tbody th');
        expect(texts.length, who).to.be.at.least(1);
        for (const text of texts) expect(text).to.include(` by ${who}`);
      }
    }
    // A company finds its own people, and nobody of the service.
    for (const { actor } of await db().auditEntry.findMany({ where: { companyId: acme.id }, select: { actor: true } }))
      expect(await names(client, `/activity?actor=${encodeURIComponent(actor)}`), actor).to.deep.equal([]);
    await removeUser(actionContext(), { email });
    const who = textsOf(await administrator.get(`/audit?companyId=${acme.id}`), 'tbody th a.actor');
    expect(who).to.include.members([`Removed account (${user.id})`, 'Operator (Ana Sousa)', 'Operator']);
  });

  it('is searched by what its sentences show: details, titles of jobs, labels, people, categories and regions', async () => {
    const { acme, ref, writer } = await newJob();
    const other = BigInt((await writer.create({ ...minimalJob, title: 'Soldador naval' })).body.data.id);
    const email = freshEmail();
    await createUser(actionContext(), { companyId: acme.id, email, role: 'sub' });
    const admin = actionContext(await administratorActor());
    for (const [jobId, reason] of [
      [ref.jobId, 'Repetida.'],
      [other, 'Sem salário.'],
    ] as const)
      await withdrawCompanyJob(admin, { ...ref, jobId, reason });
    const issued = { companyId: acme.id, environment: 'sandbox', access: 'read', label: 'Painel' } as const;
    const { credentialId } = await issueCredential(actionContext(), issued);
    await revokeCredential(admin, { companyId: acme.id, credentialId, reason: 'Foi publicada.' });
    await setDistricts(admin, { companyId: acme.id, districts: [11, 13] });
    const { name: region } = await db().district.findUniqueOrThrow({ where: { id: 13 } });
    const visitors = [
      [await asPerson(acme), '/activity?'],
      [await asAdministrator(), `/audit?companyId=${acme.id}&`],
    ] as const;
    for (const [visitor, list] of visitors)
      for (const [text, expected] of [
        ['eletricista', ['Repetida.']],
        ['NAVAL soldador', ['Sem salário.']],
        ['repetida', ['Repetida.']],
        ['painel', ['Foi publicada.', '"Painel", read']],
        [region, [region]],
        [email, [email]],
        ['soldador repetida', []],
        ['pintor', []],
      ] as const) {
        const rows = textsOf(await visitor.get(`${list}text=${encodeURIComponent(text)}`), 'tbody th');
        expect(rows, `${list}${text}`).to.have.length(expected.length);
        for (const [at, part] of expected.entries()) expect(rows[at], text).to.include(part);
      }
    const name = `Afinadores de pianos ${process.pid}`;
    const { categoryId } = await addCategory(admin, { name });
    await deactivateCategory(admin, { categoryId: BigInt(categoryId), reason: 'Repetida.' });
    const [, [administrator]] = visitors;
    const path = `/audit?action=category.deactivated&text=${encodeURIComponent(name)}`;
    expect(textsOf(await administrator.get(path), 'tbody th').join()).to.include(name);
  });

  it('links to the row of an entry, of any resource that the contract stores, but not in the entry of its deletion', async () => {
    const acme = await newCompany();
    await db().$executeRaw`
      INSERT INTO audit_entries (company_id, environment, actor, action, details, created_at)
      SELECT ${acme.id}, 'sandbox', 'operator', action, '{"id": 5}', now()
        FROM unnest(ARRAY['job.updated', 'job.removed', 'company.changed']) AS action`;
    const links = (await (await asPerson(acme)).get('/activity')).document.querySelectorAll('tbody th a[href]');
    expect([...links].map((link) => link.getAttribute('href'))).to.deep.equal(['/dashboard/jobs/sandbox/5']);
  });

  it('says that a rare action may be further back, and links to it', async () => {
    const acme = await newCompany();
    await suspendCompany(actionContext(), { companyId: acme.id, reason: 'Antigo.' });
    await db().$executeRaw`
      INSERT INTO audit_entries (company_id, actor, action, details, created_at)
      SELECT ${acme.id}, 'operator', 'company.changed', '{}', now() FROM generate_series(1, 5001)`;
    const client = await asPerson(acme);
    const first = await client.get('/activity?action=company.suspended');
    // The line of the suspension has the reason on every page.
    const listed = textsOf(first, 'main > :not(.closed)').join();
    expect(listed).to.include('There are more.').and.not.include('Antigo.');
    const older = await client.get(linkIn(first, '[rel=next]'));
    expect(textOf(older, 'tbody')).to.include('Antigo.');
    expect(linkIn(older, '[rel=next]')).to.equal('');
  });

  it('and notices write days as every page does, in both languages, and nothing for a day that is not set', async () => {
    const acme = await newCompany();
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: 3, until: '2999-01-31' });
    const client = await asPerson(acme);
    const rows = textOf(await client.get('/activity'), 'tbody');
    expect(rows)
      .to.include('until: 31 Jan 2999')
      .and.not.match(/\b\d{4}-\d\d-\d\d\b/);
    const portuguese = textOf(await client.get('/activity', { 'Accept-Language': 'pt' }), 'tbody');
    expect(portuguese)
      .to.include('até: 31/01/2999')
      .and.not.match(/\b\d{4}-\d\d-\d\d\b/);
    const administrator = await asAdministrator();
    const answer = await administrator.send(`/companies/${acme.id}/grant`, { limit: '3', until: '' });
    const notice = textOf(await administrator.follow(answer), '.notice');
    expect(notice).to.match(/ has complimentary access from \d+ \w+ \d{4}\. Jobs per month: 3\.$/);
  });

  it('links to older entries, or from the oldest to newer ones, page by page', async () => {
    const acme = await newCompany();
    const entry = { actor: 'operator', action: 'company.changed', companyId: acme.id, createdAt: clock.now() };
    const data = Array.from({ length: 55 }, (_, jobs) => ({ ...entry, details: { jobs } }));
    await db().auditEntry.createMany({ data });
    const client = await asPerson(acme, 'sub');
    const counts = Array.from({ length: 55 }, (_, count) => count);
    for (const [sort, expected] of [
      ['newest', counts.toReversed()],
      ['oldest', counts],
    ] as const) {
      const first = await client.get(`/activity?action=company.changed&sort=${sort}`);
      const second = await client.get(linkIn(first, '.pager a'));
      const shown = [first, second].map((page) => textsOf(page, 'tbody th'));
      expect(shown.map(({ length }) => length)).to.deep.equal([50, 5]);
      expect(shown.flat().map((text) => Number(/jobs: (\d+)/.exec(text)?.[1]))).to.deep.equal(expected);
      expect(linkIn(second, '[rel=next]')).to.equal('');
    }
    for (const before of ['x', '0', '-1', '1', '9'.repeat(30)])
      expect((await client.get(`/activity?before=${before}`)).status, before).to.equal(200);
  });
});

const [works, plumber, networks, bold] = ['Eletricista de obras', 'Canalizador', 'Técnico de redes', 'Obra <b>'];

/** A company whose second job is the latest changed. */
async function withJobs(): Promise<{ acme: TestCompany; ids: number[] }> {
  const acme = await newCompany();
  const writer = await acme.writer('production');
  const ids: number[] = [];
  for (const title of [works, 'Canalizador geral', networks, bold])
    ids.push((await writer.create({ ...minimalJob, title })).body.data.id);
  await writer.patch(ids[1] ?? 0, { title: plumber });
  return { acme, ids };
}

/** Expects each query to list these headings of rows. */
async function expectRows(client: PageClient, queries: Readonly<Record<string, readonly unknown[]>>): Promise<void> {
  for (const [path, rows] of Object.entries(queries)) {
    const page = await client.get(path);
    expect(page.status, path).to.equal(200);
    expect(textsOf(page, 'tbody th'), path).to.deep.equal(rows);
  }
}

describe('lists', () => {
  let acme: TestCompany;
  let ids: number[];
  let client: PageClient;
  let administrator: PageClient;
  before(async () => {
    ({ acme, ids } = await withJobs());
    await (await acme.writer()).create({ ...minimalJob, title: 'Só na sandbox' });
    [client, administrator] = [await asPerson(acme), await asAdministrator()];
  });

  // operations/job-people.test.ts tests what is found.
  it('of jobs are searched, filtered and sorted, and link to the jobs', async () => {
    const other = await withJobs();
    const all = `/jobs?companyId=${acme.id}`;
    await expectRows(client, {
      '/jobs?text=redes%20TECNICO': [networks],
      [`/jobs?text=${other.ids[2]}`]: [],
      '/jobs?sort=oldest&status=pending': [works, plumber, networks, bold],
      '/jobs?sort=changed': [plumber, bold, networks, works],
      '/jobs?text=%20&sort=nothing&environment=nowhere&status=none&page=x': [bold, networks, plumber, works],
      '/jobs?environment=sandbox': ['Só na sandbox'],
      '/jobs?text=obra&status=denied': [],
    });
    await expectRows(administrator, {
      [`${all}&environment=production&sort=oldest&status=pending`]: [works, plumber, networks, bold],
      [`${all}&environment=sandbox`]: ['Só na sandbox'],
      [`${all}&text=obra&status=denied`]: [],
    });
    const found = await administrator.get(`${all}&text=redes`);
    const links = [...found.document.querySelectorAll('tbody tr a')].map((link) => link.getAttribute('href'));
    const company = `/admin/companies/${acme.id}`;
    expect(links).to.deep.equal([`${company}/production/jobs/${ids[2]}`, company]);
  });

  it('of the activity and the audit trail find a detail, and can list the oldest first', async () => {
    for (const [at, reason] of ['Falta a região.', 'Falta o salário.'].entries()) {
      const ref = { companyId: acme.id, environment: 'production', jobId: BigInt(ids[at] ?? 0) } as const;
      await denyJob(actionContext(), { ...ref, reason });
    }
    for (const [visitor, path] of [
      [client, '/activity?'],
      [administrator, `/audit?companyId=${acme.id}&`],
    ] as const) {
      const by = visitor === client ? 'Administrator' : 'Operator';
      const denied = `Job denied by ${by}: ${works}, reason: Falta a região.`;
      await expectRows(visitor, { [`${path}text=REGIAO`]: [denied], [`${path}text=nothing`]: [] });
      const instants = async (query: string) =>
        [...(await visitor.get(query)).document.querySelectorAll('time')].map((time) => time.getAttribute('datetime'));
      expect(await instants(`${path}sort=oldest`)).to.deep.equal((await instants(path)).toReversed());
    }
  });

  it('that are numbered have 25 rows on a page, and the pager keeps the filter', async () => {
    const name = `Consola ${process.hrtime.bigint()}`;
    for (let n = 0; n < 26; n++) await newCompany({ name });
    const writer = await acme.writer('production');
    for (let n = 0; n < 26; n++) await writer.create({ ...minimalJob, title: name });
    const text = new URLSearchParams({ text: name });
    for (const [visitor, path] of [
      [administrator, `/companies?${text}`],
      [client, `/jobs?environment=production&${text}`],
    ] as const) {
      const first = await visitor.get(path);
      expect(textOf(first)).to.include('26 results');
      const second = await visitor.get(linkIn(first, '[rel=next]'));
      expect([first, second].map((page) => textsOf(page, 'tbody tr').length)).to.deep.equal([25, 1]);
      expect(valueIn(second, '#text')).to.equal(name);
    }
  });

  it('that are numbered say so past their last page, and link back to it', async () => {
    const jobs = `/jobs?companyId=${acme.id}&sort=title&`;
    const own = ['', 'environment=sandbox&', 'sort=title&', 'text=obra&', 'text=nothing&'].map(
      (query) => `/jobs?${query}`,
    );
    for (const [visitor, paths] of [
      [client, own],
      [administrator, [jobs, '/review?', '/companies?']],
    ] as const)
      for (const path of paths) {
        const page = await visitor.get(`${path}page=9999`);
        const last = Number(/9,999\D+(\d+)$/.exec(textOf(page, '.pager'))?.[1]);
        expect(last, path).to.be.within(1, 1000);
        expect(textOf(page, 'main'), path).not.to.match(/yet|Nothing found|No (jobs|companies)/);
        const back = await visitor.get(linkIn(page, '.pager a'));
        expect(textOf(back, '.pager'), path).not.to.include('9,999');
        if (!/nothing|sandbox/.test(path)) expect(has(back, 'tbody tr'), path).to.equal(true);
      }
  });
});
