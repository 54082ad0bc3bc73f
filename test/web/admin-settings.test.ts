import { expect } from 'chai';
import { categoriesNow } from '../helper/categories.ts';
import { db, newCompany, newJob } from '../helper/fixtures.ts';
import { asAdministrator, has, type PageClient, password, textOf, textsOf, valueIn } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const lastEntry = (action: string) => db().auditEntry.findFirst({ where: { action }, orderBy: { id: 'desc' } });

describe('the administration', () => {
  let client: PageClient;
  before(async () => {
    client = await asAdministrator();
  });

  it('removes a job for good, with a reason', async () => {
    const { id, writer, adminPath } = await newJob();
    const path = `${adminPath}/remove`;
    expect((await client.send(path, { reason: ' ' })).status).to.equal(422);
    expect((await client.send(path, { reason: 'Anúncio falso.' })).status).to.equal(303);
    expect((await writer.get(`/jobs/${id}`)).status).to.equal(404);
    expect((await lastEntry('job.removed'))?.actor).to.match(/^administrator:/);
    expect((await client.get(path)).status).to.equal(404);
  });

  it('limits the regions in which a company may publish; with none selected it may publish everywhere', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const createIn = async (district: number) =>
      (await asWriter.create({ ...minimalJob, district_id: district })).status;
    const path = `/companies/${acme.id}/districts`;
    const shown = await client.get(path);
    expect(shown.document.querySelectorAll('[name=districts]')).to.have.length(20);
    await client.submit(shown, path, { districts: '11' });
    expect([await createIn(13), await createIn(11)]).to.deep.equal([403, 201]);
    for (const districts of ['99999', 'x']) expect((await client.send(path, { districts })).status).to.equal(422);
    const cleared = await client.get(path);
    expect(cleared.document.querySelectorAll('[name=districts][checked]')).to.have.length(1);
    for (const box of cleared.document.querySelectorAll('[name=districts]')) box.remove();
    expect((await client.submit(cleared, path)).status).to.equal(303);
    expect(await createIn(13)).to.equal(201);
  });

  it('changes a plan for its subscribers at once', async () => {
    const name = `Plano ${process.pid}`;
    const set = async (limit: string, typed: Record<string, string> = {}) =>
      textOf(await client.follow(await client.send('/plans/set', { name, limit, ...typed })), '.notice');
    expect(await set('3', { apiEligible: 'true' })).to.contain(`The plan ${name} is created`);
    const asReader = await (await newCompany({ plan: name })).reader('production');
    expect((await asReader.get('/account')).status).to.equal(200);
    expect(await set('-1')).to.contain(`The plan ${name} is changed`);
    expect((await asReader.get('/account')).status).to.equal(403);
    const { id } = await db().plan.findFirstOrThrow({ where: { name } });
    expect(valueIn(await client.get(`/plans/set?plan=${id}`), '#limit')).to.equal('-1');
    expect(textsOf(await client.get('/plans'), 'tbody tr').join('\n')).to.match(new RegExp(`${name}.*Unlimited`));
  });

  it('deactivates a category, which takes no new jobs until it is active again', async () => {
    const asWriter = await (await newCompany()).writer();
    const createInIt = async () => (await asWriter.create({ ...minimalJob, category_id: 102 })).status;
    await client.send('/categories/102/deactivate', { reason: 'Duplicada.' });
    const details = { category_id: 102, reason: 'Duplicada.' };
    expect((await lastEntry('category.deactivated'))?.details).to.deep.equal(details);
    expect(await createInIt()).to.equal(422);
    const { data } = (await categoriesNow(asWriter)).body;
    expect(data.some(({ id }: { id: number }) => id === 102)).to.equal(false);
    const page = await client.get('/categories');
    await client.submit(page, '/categories/102/activate');
    expect(await createInIt()).to.equal(201);
    expect((await lastEntry('category.activated'))?.details).to.deep.equal({ category_id: 102 });
    const _csrf = valueIn(page, '[name=_csrf]') ?? '';
    for (const id of ['0', 'x', '2147483648', '999999'])
      expect((await client.post(`/categories/${id}/activate`, { _csrf })).status, id).to.equal(404);
  });

  it('creates a company with its people, an administrator, a main area and a category, and renames one', async () => {
    const mark = `${process.pid}-${Date.now()}`;
    const create = async (path: string, typed: Record<string, string>) => {
      const answer = await client.send(path, typed);
      expect(answer.status, `${path} ${textOf(answer, 'small.error')}`).to.equal(303);
      return textOf(await client.follow(answer), '.notice');
    };
    const notice = await create('/companies/create', { name: `Nova ${mark}`, plan: 'Pro', verified: 'true' });
    const [id = '0'] = /\d+/.exec(notice) ?? [];
    const company = await db().company.findUniqueOrThrow({ where: { id: BigInt(id) } });
    expect(company).to.include({ name: `Nova ${mark}`, verified: true, autoPublish: false });
    const email = `nova-${mark}@example.com`;
    const typed = { email, password: 'uma-senha-bem-diferente', currentPassword: password };
    await create(`/companies/${id}/create-user`, { ...typed, role: 'main' });
    expect(textOf(await client.get(`/companies/${id}`))).to.contain(email);
    await create('/administrators/create', typed);
    expect((await lastEntry('administrator.created'))?.actor).to.match(/^administrator:/);
    const again = await client.send('/administrators/create', typed);
    expect([again.status, textOf(again, '#email-error') === '']).to.deep.equal([422, false]);
    expect(again.text).to.not.contain('uma-senha-bem-diferente');
    await create('/categories/add', { name: `Area ${mark}` });
    const { id: parent } = await db().category.findFirstOrThrow({ where: { name: `Area ${mark}` } });
    await create('/categories/add', { name: `Filha ${mark}`, parent: String(parent) });
    expect(await db().category.count({ where: { parentId: parent } })).to.equal(1);
    await create(`/categories/${parent}/rename`, { name: `Outra ${mark}` });
    expect(await db().category.findUniqueOrThrow({ where: { id: parent } })).to.include({ name: `Outra ${mark}` });
  });

  it("creates nobody without the administrator's own password", async () => {
    const email = `sem-${Date.now()}@example.com`;
    const typed = { email, password: 'uma-senha-bem-diferente', currentPassword: 'errada' };
    const refused = await client.send('/administrators/create', typed);
    expect(textOf(refused, '#currentPassword-error')).not.to.equal('');
    expect(await db().administrator.count({ where: { email } })).to.equal(0);
  });

  it('filters the audit trail by actor, action, company and days; an invalid day is an error beside its field', async () => {
    const [acme, other] = [await newCompany({ name: 'Auditada' }), await newCompany()];
    for (const company of [acme, other]) await company.issue('sandbox', 'read');
    const rowsOf = async (query: string) => textsOf(await client.get(`/audit?${query}`), 'tbody tr');
    for (const query of ['', 'actorKind=nobody&action=nothing&before=y'])
      expect((await rowsOf(query)).length, query).to.be.above(3);
    const [issued] = await rowsOf(`companyId=${acme.id}`);
    expect(issued).to.contain('Credential issued').and.contain('Auditada').and.contain('operator');
    for (const [query, count] of [
      ['', 2],
      ['&action=company.created', 1],
      ['&actorKind=operator', 2],
      ['&actorKind=administrator', 0],
      ['&lastDay=2001-01-01', 0],
      ['&firstDay=2001-01-01', 2],
    ] as const)
      expect(await rowsOf(`companyId=${acme.id}${query}`), query).to.have.length(count);
    for (const [query, field] of [
      ['firstDay=2026-02-30', 'firstDay'],
      ['firstDay=2026-02-02&lastDay=2026-02-01', 'lastDay'],
      ['lastDay=9999-12-31', 'lastDay'],
    ] as const) {
      const page = await client.get(`/audit?${query}`);
      expect([page.status, textOf(page, `#${field}-error`) === ''], query).to.deep.equal([422, false]);
      expect(has(page, `#${field}[value="${new URLSearchParams(query).get(field)}"]`), query).to.equal(true);
    }
  });
});
