import type { Server } from 'node:http';
import { expect } from 'chai';
import { operations } from '../../src/contract/document.ts';
import { auditActions } from '../../src/domain/audit-actions.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { writeAudit } from '../../src/queries/audit.ts';
import { accountRoutes } from '../../src/web/account-page.tsx';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { i18n } from '../../src/web/texts/t.ts';
import { actionContext, db, newCompany, startApp, startWholeApp } from '../helper/fixtures.ts';
import { newAdministrator, newUser, type Page, PageClient } from '../helper/page-client.ts';
import { fullJob } from '../helper/sample-jobs.ts';

/** A text between brackets, with what its placeholders stand for outside of them. */
const marked = (text: string): string => `⟦${text.replaceAll('{{', '⟧{{').replaceAll('}}', '}}⟦')}⟧`;

/** What is data or a name in every language. */
const known = [
  ...operations.keys(),
  ...Object.values(fullJob())
    .flat()
    .filter((value) => typeof value === 'string'),
  'English',
  'Vaga',
  'REST',
  'MCP',
  'RESET',
  'ms',
];

const withoutMarked = (text: string): string => text.replace(/⟦[^⟦⟧]*⟧/g, '');

const attributes = [
  'aria-label',
  'title',
  'alt',
  'placeholder',
  'data-head',
  'data-copy',
  'data-copied',
  'data-selected',
  'data-show',
];
const withoutWords = 'code, pre, time, textarea, [lang]:not(html), .job-body, .type';

/** The words of a page that are in no catalogue. */
function strangeWords(page: Document, data: readonly string[]): string {
  const texts: string[] = [page.title, page.querySelector('meta[name=description]')?.getAttribute('content') ?? ''];
  for (const element of page.querySelectorAll('body *, script'))
    for (const name of attributes) texts.push(element.getAttribute(name) ?? '');
  const nodes = page.createTreeWalker(page.body, 4);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode())
    if (!node.parentElement?.closest(withoutWords)) texts.push(node.textContent ?? '');
  const names = [...known, ...data].toSorted((one, other) => other.length - one.length);
  // A text may have links and code inside, so the brackets match across elements.
  const outside = withoutMarked(texts.join(' ')).replace(/\S+@\S+|vaga_\w+_|\btrue\b/g, '');
  const rest = names.reduce((left, name) => left.replaceAll(name, ' '), outside);
  return (rest.match(/[\p{L}_]{2,}/gu) ?? []).join(' ');
}

describe('every text of the pages', () => {
  const bundle = ['pt-PT', 'translation'] as const;
  const original: Readonly<Record<string, string>> = { ...i18n.getResourceBundle(...bundle) };
  let app: Server;
  before(async () => {
    const all = Object.entries(original).map(([key, text]) => [key, marked(text)]);
    i18n.addResourceBundle(...bundle, Object.fromEntries(all), true, true);
    app = await startApp();
  });
  after(() => {
    i18n.addResourceBundle(...bundle, original, true, true);
  });

  for (const portal of ['company', 'administrator'] as const)
    it(`is in the catalogue: ${portal}`, async () => {
      const { data, params, email } = await newSubject(portal);
      const at = new PageClient(portal, app, { 'Accept-Language': 'pt' });
      const check = (page: Page, path: string) => {
        expect(page.headers['content-type'], path).to.include('html');
        expect(strangeWords(page.document, data), `${path} ${page.status}`).to.equal('');
      };
      check(await at.signIn(email, 'wrong'), '/sign-in');
      await at.signIn(email);
      const fill = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
      const { routes } = portal === 'company' ? dashboardPages : adminPages;
      for (const { method, path } of [...accountRoutes, ...routes]) {
        if (method !== 'get') continue;
        for (const query of queries[path] ?? ['']) check(await at.get(fill(path + query)), path + query);
      }
      for (const [page, action, typed] of refused[portal]) {
        const answer = await at.submit(await at.get(fill(page)), fill(action), typed);
        expect(answer.status, action).to.be.oneOf([409, 422]);
        check(answer, action);
      }
      check(await at.get('/nothing'), '/nothing');
      check(await at.post('/account/password', {}), 'csrf');
      const notice = await at.follow(
        await at.submit(await at.get(fill(noticed[portal][0])), fill(noticed[portal][1]), {
          word: 'RESET',
          reason: 'test',
        }),
      );
      expect(notice.document.querySelector('.notice')).not.to.equal(null);
      check(notice, 'notice');
    });
});

const noticed = {
  company: ['/sandbox', '/sandbox/reset'],
  administrator: ['/companies/:company/suspend', '/companies/:company/suspend'],
} as const;

const queries: Readonly<Record<string, readonly string[]>> = {
  '/jobs': ['', '?environment=sandbox', '?status=denied', '?environment=sandbox&page=2'],
  '/requests': ['', '?environment=sandbox', '?status=404', '?before=1'],
  '/companies': ['', '?text=nobody', '?state=suspended'],
  '/audit': ['?company=:company', '?company=999999999'],
};

/** A page, the action of its form, and what is typed. */
type RefusedForm = readonly [page: string, action: string, typed: Record<string, string>];

const refused: Readonly<Record<'company' | 'administrator', readonly RefusedForm[]>> = {
  company: [
    ['/sandbox', '/sandbox/reset', { word: 'no' }],
    ['/credentials/issue', '/credentials/issue', { label: '\u0007', days: '0', password: 'uma-senha-para-testes' }],
    ['/credentials/issue', '/credentials/issue', { password: 'x' }],
    ['/account', '/account/password', { currentPassword: 'uma-senha-para-testes', newPassword: 'x' }],
  ],
  administrator: [
    ['/plans/set', '/plans/set', { name: '', limit: '' }],
    ['/companies/:company/subscribe', '/companies/:company/subscribe', { plan: 'Nenhum', startedOn: '9999-01-01' }],
    ['/companies/:company/grant', '/companies/:company/grant', { limit: '1', until: '2000-01-01' }],
    ['/companies/:company/:environment/jobs/:job', '/companies/:company/:environment/jobs/:job/deny', { reason: '' }],
    [
      '/companies/:company/:environment/jobs/:job/remove',
      '/companies/:company/:environment/jobs/:job/remove',
      { reason: '' },
    ],
  ],
};

/** A company with a job, a denied job, credentials in every state, requests and audit entries of every kind. */
async function newSubject(portal: 'company' | 'administrator') {
  const acme = await newCompany();
  const writer = await acme.writer('production');
  const ids: number[] = [];
  for (const title of ['Eletricista', 'Canalizador'])
    ids.push((await writer.create({ ...fullJob(), title })).body.data.id);
  const [job, denied] = ids as [number, number];
  const ref = { companyId: acme.id, environment: 'production', jobId: BigInt(denied) } as const;
  await denyJob(actionContext(), { ...ref, reason: '-' });
  const { credentialId } = await acme.issue('sandbox', 'read', 5);
  const logged = await startWholeApp();
  await (await acme.reader('sandbox', logged.server)).get('/jobs/1');
  await logged.settle();
  const email = portal === 'company' ? await newUser(acme) : await newAdministrator();
  for (const action of auditActions)
    await writeAudit(db(), 'administrator:1', new Date(), {
      action,
      environment: 'sandbox',
      companyId: acme.id,
      details: { verified: true, role: 'main', district_ids: [] },
    });
  // Other tests use the same database.
  const [companies, plans, categories, regions, jobs, denials, credentials] = await Promise.all([
    db().company.findMany({ distinct: ['name'] }),
    db().plan.findMany(),
    db().category.findMany(),
    db().district.findMany(),
    db().job.findMany({ distinct: ['title'], select: { title: true } }),
    db().auditEntry.findMany({ where: { action: 'job.denied' }, select: { details: true } }),
    db().credential.findMany({ select: { lastFour: true } }),
  ]);
  const reasons = denials.map(({ details }) => String(Object(details).reason));
  const named = [...categories, ...regions, ...companies, ...plans].map(({ name }) => String(name));
  return {
    email,
    data: [
      ...named,
      ...jobs.map(({ title }) => title),
      ...reasons,
      ...credentials.map(({ lastFour }) => lastFour),
      'test',
    ],
    params: { company: acme.id, environment: 'production', job, credential: credentialId, category: 101 } as Record<
      string,
      unknown
    >,
  };
}
