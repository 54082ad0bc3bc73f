import { expect } from 'chai';
import { searchJobs as find } from '../../src/queries/job-search.ts';
import { db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, newUser, PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const titles = ['Eletricista de obras', 'Canalizador', 'Técnico de redes', 'Obra <b>'];

async function withJobs(): Promise<{ acme: TestCompany; ids: number[] }> {
  const acme = await newCompany();
  const writer = await acme.writer('production');
  const ids: number[] = [];
  for (const title of titles) ids.push((await writer.create({ ...minimalJob, title })).body.data.id);
  await writer.patch(ids[1] ?? 0, { title: 'Canalizador geral' });
  return { acme, ids };
}

const shownBy = (client: PageClient) => async (path: string) => {
  const { document, status } = await client.get(path);
  expect(status, path).to.equal(200);
  return [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent);
};

describe('the search of jobs', () => {
  it('finds a part of a title ignoring case and accents, or an id, and orders what it finds', async () => {
    const { acme, ids } = await withJobs();
    const other = await withJobs();
    const shown = shownBy(await PageClient.signedIn('company', await newUser(acme)));
    expect(await shown('/jobs?text=OBRA')).to.deep.equal(['Obra <b>', 'Eletricista de obras']);
    expect(await shown('/jobs?text=tecnico')).to.deep.equal(['Técnico de redes']);
    expect(await shown(`/jobs?text=${ids[2]}`)).to.include('Técnico de redes');
    expect(await shown(`/jobs?text=${other.ids[2]}`)).to.deep.equal([]);
    expect(await shown('/jobs?sort=oldest&status=pending')).to.have.ordered.members([
      'Eletricista de obras',
      'Canalizador geral',
      'Técnico de redes',
      'Obra <b>',
    ]);
    expect((await shown('/jobs?sort=changed'))[0]).to.equal('Canalizador geral');
    expect(await shown('/jobs?sort=title')).to.have.ordered.members([
      'Canalizador geral',
      'Eletricista de obras',
      'Obra <b>',
      'Técnico de redes',
    ]);
    expect(await shown('/jobs?text=%25')).to.deep.equal([]);
    expect(await shown('/jobs?text=obra&status=denied')).to.deep.equal([]);
    expect(await shown('/jobs?text=%20&sort=nothing')).to.have.length(4);
    expect(await shownBy(await asAdministrator())(`/companies/${acme.id}/production/jobs?text=redes`)).to.deep.equal([
      'Técnico de redes',
    ]);
  });

  it('looks through a bounded number of jobs, and finds an older one by its id', async () => {
    const { acme, ids } = await withJobs();
    const tenant = { companyId: acme.id, environment: 'production' } as const;
    const range = { page: 1, perPage: 25, jobsMax: 2, today: '2026-11-22' };
    expect((await find(db(), tenant, { sort: 'newest' }, range)).map(({ id }) => id)).to.deep.equal([ids[3], ids[2]]);
    const oldest = await find(db(), tenant, { text: String(ids[0]), sort: 'newest' }, range);
    expect(oldest.map(({ id }) => id)).to.include(ids[0]);
  });

  it('in the review queue finds titles and companies, and orders them', async () => {
    const acme = await newCompany({ name: `Construções Única ${process.hrtime.bigint()}` });
    const writer = await acme.writer('production');
    for (const title of ['Primeira', 'Segunda']) await writer.create({ ...minimalJob, title });
    const shown = shownBy(await asAdministrator());
    const { name } = await db().company.findUniqueOrThrow({ where: { id: acme.id }, select: { name: true } });
    const text = encodeURIComponent(name.toUpperCase().replace('Ú', 'U'));
    expect(await shown(`/review?text=${text}`)).to.deep.equal(['Primeira', 'Segunda']);
    expect(await shown(`/review?text=${text}&sort=newest`)).to.deep.equal(['Segunda', 'Primeira']);
  });
});

describe('the search of short lists', () => {
  it('finds credentials by their label and categories by their name', async () => {
    const acme = await newCompany();
    await acme.issue('sandbox', 'read');
    const client = await PageClient.signedIn('company', await newUser(acme));
    expect((await client.get('/credentials?text=TEST')).document.querySelectorAll('tbody tr')).to.have.length(1);
    expect(textOf(await client.get('/credentials?text=nothing'), 'main')).to.include('Nothing found.');
    const admin = await asAdministrator();
    const all = (await admin.get('/categories')).document.querySelectorAll('details').length;
    const found = (await admin.get('/categories?text=ELETRIC')).document;
    expect(found.querySelectorAll('details[open]').length).to.be.within(1, all - 1);
  });

  it('filters the activity by action', async () => {
    const acme = await newCompany();
    await acme.issue('sandbox', 'read');
    const client = await PageClient.signedIn('company', await newUser(acme));
    const shown = shownBy(client);
    expect(await shown('/activity?action=credential.issued')).to.deep.equal(['Credential issued']);
    expect(await shown('/activity?action=credential.revoked')).to.deep.equal([]);
    expect((await shown('/activity?action=plan.set')).length).to.be.above(1);
  });
});
