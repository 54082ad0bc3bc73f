import { expect } from 'chai';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, newUser, type Page, PageClient, textOf } from '../helper/page-client.ts';
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

describe('a page past the last', () => {
  it('says so and leads back to the last page, on every numbered list', async () => {
    const { acme } = await withJobs();
    const client = await PageClient.signedIn('company', await newUser(acme));
    const admin = await asAdministrator();
    for (const [visitor, path] of [
      [client, '/jobs?'],
      [client, '/jobs?environment=sandbox&'],
      [client, '/jobs?sort=title&'],
      [client, '/jobs?text=obra&'],
      [client, '/jobs?text=nothing&'],
      [admin, `/companies/${acme.id}/production/jobs?sort=title&`],
      [admin, '/review?'],
      [admin, '/review?text=canalizador&'],
      [admin, '/companies?'],
    ] as const) {
      const page = await visitor.get(`${path}page=9999`);
      const pager = textOf(page, '.pager');
      const last = Number(/^Go to the last pagePage 9,999 of (\d+)$/.exec(pager)?.[1]);
      expect(last, `${path} ${pager}`).to.be.within(1, 1000);
      expect(textOf(page, 'main'), path).not.to.match(/yet|Nothing found|No (jobs|companies)/);
      const back = await visitor.get(page.document.querySelector('.pager a')?.getAttribute('href') ?? '');
      expect(textOf(back, '.pager'), path).not.to.include('Go to the last page');
      if (!/nothing|sandbox/.test(path)) expect(back.document.querySelector('tbody tr'), path).not.to.equal(null);
    }
    const portuguese = await client.get('/jobs?page=99', { 'Accept-Language': 'pt' });
    expect(textOf(portuguese, '.pager')).to.equal('Ir para a última páginaPágina 99 de 1');
  });
});

describe('the search of logs', () => {
  it('finds a detail of the activity and the audit trail, and lists the oldest first', async () => {
    const acme = await newCompany();
    const writer = await acme.writer('production');
    for (const reason of ['Falta a região.', 'Falta o salário.']) {
      const jobId = BigInt((await writer.create(minimalJob)).body.data.id);
      await denyJob(actionContext(), { companyId: acme.id, environment: 'production', jobId, reason });
    }
    const pages = [
      [await PageClient.signedIn('company', await newUser(acme)), '/activity?'],
      [await asAdministrator(), `/audit?companyId=${acme.id}&`],
    ] as const;
    for (const [client, path] of pages) {
      const shown = shownBy(client);
      expect(await shown(`${path}text=REGIAO`)).to.deep.equal(['Job denied']);
      expect(await shown(`${path}text=nothing`)).to.deep.equal([]);
      const newest = (await client.get(path)).document.querySelectorAll('time');
      const oldest = (await client.get(`${path}sort=oldest`)).document.querySelectorAll('time');
      const instants = (times: ArrayLike<Element>) => Array.from(times, (time) => time.getAttribute('datetime'));
      expect(instants(oldest)).to.deep.equal(instants(newest).toReversed());
    }
  });

  it('oldest first, each page goes on where the one before ended', async () => {
    const acme = await newCompany();
    const companyId = acme.id;
    for (let day = 1; day <= 55; day++) await grantComplimentary(actionContext(), { companyId, limit: day });
    const client = await PageClient.signedIn('company', await newUser(acme));
    const details = ({ document }: Page) =>
      [...document.querySelectorAll('tbody td:last-child')].map((cell) => cell.textContent);
    const first = await client.get('/activity?action=grant.given&sort=oldest');
    const link = first.document.querySelector<HTMLAnchorElement>('.pager a');
    expect(link?.textContent).to.equal('Newer entries');
    const second = await client.get(link?.getAttribute('href') ?? '');
    const limits = [...details(first), ...details(second)].map((text) =>
      Number(/monthly limit: (\d+)/.exec(text ?? '')?.[1]),
    );
    expect(limits).to.deep.equal(Array.from({ length: 55 }, (_, index) => index + 1));
  });
});
