import { expect } from 'chai';
import { categoriesNow } from '../helper/categories.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { asAdministrator, type PageClient, textOf, tokenIn } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const lastEntry = (action: string) => db().auditEntry.findFirst({ where: { action }, orderBy: { id: 'desc' } });

describe('removing a job in the administration', () => {
  it('asks for the word and a reason; then the job is gone and repeating its create answers 410', async () => {
    const acme = await newCompany();
    const asWriter = await acme.writer('production');
    const { id } = (await asWriter.create(minimalJob, 'a-remover')).body.data;
    const client = await asAdministrator();
    const path = `/companies/${acme.id}/production/jobs/${id}/remove`;
    const shown = await client.get(path);
    const wrong = await client.submit(shown, path, { word: 'remove', reason: 'Anúncio falso.' });
    expect(wrong.status).to.equal(422);
    expect(textOf(wrong, '#word-error')).to.contain('REMOVE');
    expect(wrong.document.querySelector('textarea')?.value).to.equal('Anúncio falso.');
    expect((await client.submit(shown, path, { word: 'REMOVE', reason: ' ' })).status).to.equal(422);
    expect((await asWriter.get(`/jobs/${id}`)).status).to.equal(200);
    const done = await client.submit(shown, path, { word: 'REMOVE', reason: 'Anúncio falso.' });
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
    const company = `/companies/${acme.id}`;
    const path = `${company}/districts`;
    const shown = await client.get(company);
    expect(shown.document.querySelectorAll('[name=district]')).to.have.length(20);
    await client.submit(shown, path, { district: '11' });
    expect((await asWriter.create({ ...minimalJob, district_id: 13 })).status).to.equal(403);
    expect((await asWriter.create({ ...minimalJob, district_id: 11 })).status).to.equal(201);
    const marked = (await client.get(company)).document.querySelectorAll('[name=district][checked]');
    expect(marked).to.have.length(1);
    const _csrf = tokenIn(await client.get(company));
    expect((await client.post(path, { _csrf, district: '99999' })).status).to.equal(422);
    expect((await client.post(path, { _csrf, district: 'x' })).status).to.equal(422);
    await client.post(path, { _csrf });
    expect((await asWriter.create({ ...minimalJob, district_id: 13 })).status).to.equal(201);
  });
});

describe('plans in the administration', () => {
  it('a change applies to subscribers at once', async () => {
    const client = await asAdministrator();
    const name = `Plano ${process.pid}`;
    const set = async (limit: string, eligible: string) =>
      client.submit(await client.get('/plans'), '/plans', { name, limit, eligible });
    expect(textOf(await client.follow(await set('3', 'yes')), '.notice')).to.contain(name);
    const acme = await newCompany({ plan: name });
    const asReader = await acme.reader('production');
    expect((await asReader.get('/account')).status).to.equal(200);
    await set('-1', 'no');
    expect((await asReader.get('/account')).status).to.equal(403);
    const { id } = await db().plan.findFirstOrThrow({ where: { name } });
    const page = await client.get(`/plans?plan=${id}`);
    expect(page.document.querySelector('#limit')?.getAttribute('value')).to.equal('-1');
    expect(textOf(page, 'table')).to.contain(name).and.contain('Unlimited');
  });

  it('shows an error beside its field', async () => {
    const client = await asAdministrator();
    for (const [field, typed] of [
      ['limit', { name: 'Novo', limit: '-2' }],
      ['limit', { name: 'Novo', limit: '' }],
      ['name', { name: ' ', limit: '1' }],
    ] as const) {
      const page = await client.submit(await client.get('/plans'), '/plans', typed);
      expect(page.status).to.equal(422);
      expect(textOf(page, `#${field}-error`)).to.match(/\.$/);
    }
  });
});

describe('categories in the administration', () => {
  it('a deactivated category takes no new jobs until it is active again', async () => {
    const asWriter = await (await newCompany()).writer();
    const client: PageClient = await asAdministrator();
    const page = await client.get('/categories');
    const job = { ...minimalJob, category_id: 102 };
    await client.submit(page, '/categories/102/deactivate');
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
    const own = await rowsOf(`company=${acme.id}`);
    expect(own).to.have.length(2);
    expect(own[0]).to.contain('Credential issued').and.contain('Auditada').and.contain('operator');
    expect(await rowsOf(`company=${acme.id}&action=company.created`)).to.have.length(1);
    expect(await rowsOf(`company=${acme.id}&who=operator`)).to.have.length(2);
    expect(await rowsOf(`company=${acme.id}&who=administrator`)).to.have.length(0);
    expect(await rowsOf(`company=${acme.id}&to=2001-01-01`)).to.have.length(0);
    expect(await rowsOf(`company=${acme.id}&from=2001-01-01`)).to.have.length(2);
    expect((await rowsOf('who=nobody&action=nothing&company=x&before=y')).length).to.be.above(3);
  });

  it('an invalid day is an error beside its field, and the form keeps its values', async () => {
    const client = await asAdministrator();
    const page = await client.get('/audit?from=2026-02-30');
    expect(page.status).to.equal(422);
    expect(textOf(page, '#from-error')).to.contain('YYYY-MM-DD');
    const reversed = await client.get('/audit?from=2026-02-02&to=2026-02-01');
    expect(textOf(reversed, '#to-error')).to.match(/before/);
    expect(reversed.document.querySelector('#to')?.getAttribute('value')).to.equal('2026-02-01');
  });
});
