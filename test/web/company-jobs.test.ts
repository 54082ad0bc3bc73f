import { expect } from 'chai';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { actionContext, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { insertEvents } from '../helper/insert-events.ts';
import { asAdministrator, newUser, PageClient, textOf } from '../helper/page-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';

const signedIn = async (company: TestCompany) => PageClient.signedIn('company', await newUser(company, 'sub'));

async function create(company: TestCompany, environment: 'sandbox' | 'production', job: object = {}): Promise<number> {
  const { body } = await (await company.writer(environment)).create({ ...minimalJob, ...job });
  return body.data.id;
}

describe('the jobs page of a company', () => {
  it('lists one environment at a time, newest first, filtered by status', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    await create(acme, 'sandbox', { title: 'Só na sandbox' });
    await create(acme, 'production', { title: 'Primeira <b>' });
    const id = await create(acme, 'production', { title: 'Segunda' });
    await create(other, 'production', { title: 'Alheia' });
    await (await acme.writer('production')).withdraw(id);
    const client = await signedIn(acme);
    const titles = async (path: string) => {
      const { document } = await client.get(path);
      return [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent);
    };
    expect(await titles('/jobs')).to.deep.equal(['Segunda', 'Primeira <b>']);
    expect(await titles('/jobs?environment=sandbox')).to.deep.equal(['Só na sandbox']);
    expect(await titles('/jobs?environment=production&status=inactive')).to.deep.equal(['Segunda']);
    expect(await titles('/jobs?environment=nowhere&status=none&page=x')).to.have.length(2);
    const denied = await client.get('/jobs?status=denied');
    expect(textOf(denied, 'main')).to.contain('Nothing found.');
    expect(denied.document.querySelector<HTMLSelectElement>('#status')?.value).to.equal('denied');
  });

  it('shows 25 jobs per page, and the pager keeps the filter', async () => {
    const acme = await newCompany();
    for (let i = 0; i < 26; i++) await create(acme, 'sandbox', { title: `Vaga ${i}` });
    const client = await signedIn(acme);
    const first = await client.get('/jobs?environment=sandbox&status=pending');
    expect(first.document.querySelectorAll('tbody tr')).to.have.length(25);
    const next = first.document.querySelector('a[rel=next]')?.getAttribute('href') ?? '';
    const second = await client.get(next);
    expect(textOf(second, 'tbody th')).to.equal('Vaga 0');
    expect(second.document.querySelector<HTMLSelectElement>('#environment')?.value).to.equal('sandbox');
  });

  it('says what to do when the list is empty', async () => {
    const page = await (await signedIn(await newCompany())).get('/jobs');
    expect(textOf(page, 'main')).to.contain('No jobs in production yet.');
  });
});

describe('the page of one job', () => {
  it('shows the sanitized body, other fields as text, the history and the reason for denial', async () => {
    const acme = await newCompany();
    const body = '<p onclick="x()">Bom <strong>salário</strong><script>alert(1)</script></p>';
    const id = await create(acme, 'production', { ...fullJob(), body, requirements: '<b>Carta</b>' });
    const name = { companyId: acme.id, environment: 'production', jobId: BigInt(id) } as const;
    await denyJob(actionContext(), { ...name, reason: 'Falta a <i>morada</i>.' });
    const page = await (await signedIn(acme)).get(`/jobs/production/${id}`);
    expect(page.status).to.equal(200);
    expect(page.document.querySelector('.job-body')?.innerHTML).to.equal('<p>Bom <strong>salário</strong></p>');
    expect(textOf(page, '.facts')).to.contain('<b>Carta</b>');
    expect(textOf(page, '#denial')).to.contain('Denied: Falta a <i>morada</i>.');
    const rows = [...page.document.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '');
    expect(rows).to.have.length(2);
    expect(rows[0]).to.match(/Job created.*Pending.*test/);
    expect(rows[1]).to.match(/Job denied.*Denied.*Administrator/);
  });

  for (const portal of ['company', 'administrator'] as const)
    it(`${portal}: shows the latest fifty events, with a link to older ones`, async () => {
      const acme = await newCompany();
      const id = await create(acme, 'sandbox');
      const event = { companyId: acme.id, environment: 'sandbox', jobId: BigInt(id), createdAt: new Date(0) } as const;
      const edit = { ...event, kind: 'updated', status: 'pending' } as const;
      await insertEvents(Array.from({ length: 110 }, (_, i) => ({ ...edit, actor: `edit ${i}` })));
      const client = portal === 'company' ? await signedIn(acme) : await asAdministrator();
      let page = await client.get(
        portal === 'company' ? `/jobs/sandbox/${id}` : `/companies/${acme.id}/sandbox/jobs/${id}`,
      );
      const seen: number[] = [];
      for (;;) {
        seen.push(page.document.querySelectorAll('tbody tr').length);
        const older = page.document.querySelector('a[rel=next]')?.getAttribute('href');
        if (!older) break;
        page = await client.get(older);
        expect(page.status).to.equal(200);
      }
      expect(seen).to.deep.equal([50, 50, 11]);
      expect(textOf(page, 'tbody tr')).to.contain('Job created');
    });

  it('shows the job as candidates see it, beside what the API returns', async () => {
    const acme = await newCompany();
    const id = await create(acme, 'production', fullJob());
    const visitor = await signedIn(acme);
    const page = await visitor.get(`/jobs/production/${id}`);
    expect(textOf(page, '[aria-labelledby=preview]')).to.include('€1,200.50 to €1,500.00 a month, negotiable');
    const portuguese = textOf(await visitor.get(`/jobs/production/${id}`, { 'Accept-Language': 'pt' }));
    expect(portuguese.replace(/\s/g, ' ')).to.include('1200,50 € a 1500,00 € por mês, negociável');
    const { body } = await (await acme.reader('production')).get(`/jobs/${id}`);
    const source = page.document.querySelector('details pre')?.textContent ?? '';
    expect({ ...body.data, ...JSON.parse(source) }).to.deep.equal(body.data);
  });
});
