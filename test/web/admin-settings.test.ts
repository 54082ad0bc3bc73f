import { expect } from 'chai';
import { categoriesNow } from '../helper/categories.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { asAdministrator, type PageClient, password, textOf, tokenIn } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const lastEntry = (action: string) => db().auditEntry.findFirst({ where: { action }, orderBy: { id: 'desc' } });

describe('removing a job in the administration', () => {
  it('asks for a reason; then the job is gone and repeating its create answers 410', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const { id } = (await asWriter.create(minimalJob, 'a-remover')).body.data;
    const client = await asAdministrator();
    const path = `/companies/${acme.id}/production/jobs/${id}/remove`;
    const shown = await client.get(path);
    expect(textOf(shown, '.alert')).to.contain('for good');
    const wrong = await client.submit(shown, path, { reason: 'a\nb' });
    expect(wrong.status).to.equal(422);
    expect(wrong.document.querySelector('textarea')?.value).to.equal('a\nb');
    expect((await client.submit(wrong, path, { reason: ' ' })).status).to.equal(422);
    expect((await asWriter.get(`/jobs/${id}`)).status).to.equal(200);
    const done = await client.submit(await client.get(path), path, { reason: 'Anúncio falso.' });
    expect(done.status).to.equal(303);
    expect((await asWriter.get(`/jobs/${id}`)).status).to.equal(404);
    expect((await asWriter.create(minimalJob, 'a-remover')).status).to.equal(410);
    expect((await lastEntry('job.removed'))?.actor).to.match(/^administrator:/);
    expect((await client.get(path)).status).to.equal(404);
  });
});

describe('regions of a company in the administration', () => {
  it('limit where it may publish; with none selected it may publish everywhere', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const client = await asAdministrator();
    const path = `/companies/${acme.id}/districts`;
    const shown = await client.get(path);
    expect(shown.document.querySelectorAll('[name=districts]')).to.have.length(20);
    await client.submit(shown, path, { districts: '11' });
    expect((await asWriter.create({ ...minimalJob, district_id: 13 })).status).to.equal(403);
    expect((await asWriter.create({ ...minimalJob, district_id: 11 })).status).to.equal(201);
    const marked = (await client.get(path)).document.querySelectorAll('[name=districts][checked]');
    expect(marked).to.have.length(1);
    for (const wrong of ['99999', 'x'])
      expect((await client.submit(await client.get(path), path, { districts: wrong })).status).to.equal(422);
    const cleared = await client.get(path);
    for (const box of cleared.document.querySelectorAll('[name=districts]')) box.remove();
    expect((await client.submit(cleared, path)).status).to.equal(303);
    expect((await asWriter.create({ ...minimalJob, district_id: 13 })).status).to.equal(201);
  });
});

describe('plans in the administration', () => {
  it('a change applies to subscribers at once', async () => {
    const client = await asAdministrator();
    const name = `Plano ${process.pid}`;
    const set = async (limit: string, typed: Record<string, string> = {}) =>
      client.submit(await client.get('/plans/set'), '/plans/set', { name, limit, ...typed });
    const created = await client.follow(await set('3', { apiEligible: 'true' }));
    expect(textOf(created, '.notice')).to.contain(`The plan ${name} is created`);
    const acme = await newCompany({ plan: name });
    const asReader = await acme.reader('production');
    expect((await asReader.get('/account')).status).to.equal(200);
    expect(textOf(await client.follow(await set('-1')), '.notice')).to.contain(`The plan ${name} is changed`);
    expect((await asReader.get('/account')).status).to.equal(403);
    const { id } = await db().plan.findFirstOrThrow({ where: { name } });
    const page = await client.get(`/plans/set?plan=${id}`);
    expect(page.document.querySelector('#limit')?.getAttribute('value')).to.equal('-1');
    expect(textOf(await client.get('/plans'), 'table'))
      .to.contain(name)
      .and.contain('Unlimited');
  });
});

describe('categories in the administration', () => {
  it('a deactivated category takes no new jobs until it is active again', async () => {
    const asWriter = await (await newCompany()).writer();
    const client: PageClient = await asAdministrator();
    const page = await client.get('/categories');
    const job = { ...minimalJob, category_id: 102 };
    const form = await client.get('/categories/102/deactivate');
    await client.submit(form, '/categories/102/deactivate', { reason: 'Duplicada.' });
    expect((await lastEntry('category.deactivated'))?.details).to.deep.equal({
      category_id: 102,
      reason: 'Duplicada.',
    });
    expect((await asWriter.create(job)).status).to.equal(422);
    const { data } = (await categoriesNow(asWriter)).body;
    expect(data.some(({ id }: { id: number }) => id === 102)).to.equal(false);
    await client.submit(await client.get('/categories'), '/categories/102/activate');
    expect((await asWriter.create(job)).status).to.equal(201);
    expect((await lastEntry('category.activated'))?.details).to.deep.equal({ category_id: 102 });
    const _csrf = tokenIn(page);
    for (const id of ['0', 'x', '2147483648', '999999'])
      expect((await client.post(`/categories/${id}/activate`, { _csrf })).status, id).to.equal(404);
  });
});

describe('administrators create', () => {
  it('a company with its people, an administrator, a main area and a category, which can be renamed', async () => {
    const client = await asAdministrator();
    const mark = `${process.pid}-${Date.now()}`;
    const create = async (path: string, typed: Record<string, string>) => {
      const answer = await client.submit(await client.get(path), path, typed);
      expect(answer.status, `${path} ${textOf(answer, 'small.error')}`).to.equal(303);
      return textOf(await client.follow(answer), '.notice');
    };
    const notice = await create('/companies/create', { name: `Nova ${mark}`, plan: 'Pro', verified: 'true' });
    const [, id] = /^Company (\d+) is created[.]$/.exec(notice) ?? [];
    const company = await db().company.findUniqueOrThrow({ where: { id: BigInt(id ?? 0) } });
    expect(company).to.include({ name: `Nova ${mark}`, verified: true, autoPublish: false });
    const email = `nova-${mark}@example.com`;
    const typed = { email, password: 'uma-senha-bem-diferente', currentPassword: password };
    await create(`/companies/${id}/create-user`, { ...typed, role: 'main' });
    expect(textOf(await client.get(`/companies/${id}`))).to.contain(email);
    await create('/administrators/create', typed);
    expect((await lastEntry('administrator.created'))?.actor).to.match(/^administrator:/);
    const again = await client.submit(await client.get('/administrators/create'), '/administrators/create', typed);
    expect(again.status).to.equal(422);
    expect(textOf(again, '#email-error')).to.not.equal('');
    expect(again.text).to.not.contain('uma-senha-bem-diferente');
    await create('/categories/add', { name: `Area ${mark}` });
    const where = { name: `Area ${mark}` };
    const { id: parent } = await db().category.findFirstOrThrow({ where });
    await create('/categories/add', { name: `Filha ${mark}`, parent: String(parent) });
    expect(await db().category.count({ where: { parentId: parent } })).to.equal(1);
    await create(`/categories/${parent}/rename`, { name: `Outra ${mark}` });
    expect(await db().category.findUniqueOrThrow({ where: { id: parent } })).to.include({ name: `Outra ${mark}` });
  });

  it("nobody without the administrator's own password, and a form only once", async () => {
    const client = await asAdministrator();
    const [path, email] = ['/administrators/create', `sem-${Date.now()}@example.com`];
    const typed = { email, password: 'uma-senha-bem-diferente', currentPassword: 'errada' };
    const refused = await client.submit(await client.get(path), path, typed);
    expect(textOf(refused, '#currentPassword-error')).to.contain('not your password');
    expect(await db().administrator.count({ where: { email } })).to.equal(0);
    const form = await client.get('/companies/create');
    const name = `Uma vez ${Date.now()}`;
    const sent = await Promise.all([1, 2].map(() => client.submit(form, '/companies/create', { name })));
    expect(sent.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(await db().company.count({ where: { name } })).to.equal(1);
  });
});

describe('the audit trail in the administration', () => {
  it('is filtered by actor, action, company and days', async () => {
    const [acme, other] = [await newCompany({ name: 'Auditada' }), await newCompany()];
    await acme.issue('sandbox', 'read');
    await other.issue('sandbox', 'read');
    const client = await asAdministrator();
    const rowsOf = async (query: string) => {
      const page = await client.get(`/audit?${query}`);
      expect(page.status, query).to.equal(200);
      return [...page.document.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '');
    };
    expect((await rowsOf('')).length).to.be.above(3);
    const own = await rowsOf(`companyId=${acme.id}`);
    expect(own).to.have.length(2);
    expect(own[0]).to.contain('Credential issued').and.contain('Auditada').and.contain('operator');
    expect(await rowsOf(`companyId=${acme.id}&action=company.created`)).to.have.length(1);
    expect(await rowsOf(`companyId=${acme.id}&actorKind=operator`)).to.have.length(2);
    expect(await rowsOf(`companyId=${acme.id}&actorKind=administrator`)).to.have.length(0);
    expect(await rowsOf(`companyId=${acme.id}&lastDay=2001-01-01`)).to.have.length(0);
    expect(await rowsOf(`companyId=${acme.id}&firstDay=2001-01-01`)).to.have.length(2);
    expect((await rowsOf('actorKind=nobody&action=nothing&before=y')).length).to.be.above(3);
  });

  it('an invalid day is an error beside its field, and the form keeps its values', async () => {
    const client = await asAdministrator();
    const page = await client.get('/audit?firstDay=2026-02-30');
    expect(page.status).to.equal(422);
    expect(textOf(page, '#firstDay-error')).to.contain('YYYY-MM-DD');
    const reversed = await client.get('/audit?firstDay=2026-02-02&lastDay=2026-02-01');
    expect(textOf(reversed, '#lastDay-error')).to.match(/before/);
    expect(reversed.document.querySelector('#lastDay')?.getAttribute('value')).to.equal('2026-02-01');
  });
});
