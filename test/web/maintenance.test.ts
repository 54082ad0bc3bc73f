import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { startMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { actionContext, clock, db, newCompany, startApp } from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  has,
  leaveMaintenance,
  type Page,
  PageClient,
  textOf,
  textsOf,
  valueIn,
} from '../helper/page-client.ts';

const line = (page: Page) => textOf(page, '#maintenance');

describe('the pages during maintenance', () => {
  afterEach(leaveMaintenance);

  it('say so on every page with its begin, its expected end and the reason; a badge is what a request would meet', async () => {
    const acme = await newCompany();
    const [client, admin] = [await asPerson(acme), await asAdministrator()];
    const badges = async () => textsOf(await client.get('/'), 'article > h2 > .badge');
    expect(await badges()).to.deep.equal(['Open', 'Open']);
    expect(has(await client.get('/'), '#maintenance')).to.equal(false);
    await startMaintenance(actionContext(), { until: '2099-01-01T10:00', reason: 'Nova base de dados' });
    clock.aheadMs += 1000;
    expect(await badges()).to.deep.equal(['Closed: Maintenance', 'Closed: Maintenance']);
    const company = await admin.get(`/companies/${acme.id}`);
    expect(textsOf(company, 'article > h2 > .badge')).to.deep.equal(['Closed: Maintenance', 'Closed: Maintenance']);
    const shown =
      /maintenance.*Since \d+ \w+ \d{4}, .*\. Expected until 1 Jan 2099, 10:00.*\. Reason: Nova base de dados/;
    for (const path of ['/', '/jobs', '/account', '/nothing'])
      expect(line(await client.get(path)), path).to.match(shown);
    for (const path of ['', '/review', '/companies']) expect(line(await admin.get(path)), path).to.match(shown);
    for (const portal of ['company', 'administrator'] as const)
      expect(line(await new PageClient(portal).get('/sign-in')), portal).to.match(shown);
    expect(has(await client.get('/'), '#maintenance form'), 'only administrators end it').to.equal(false);
  });

  it('a form names the expected end that somebody else has set, in the words of the pages, or that it has none any more', async () => {
    const admin = await asAdministrator();
    const start = (until?: string) => startMaintenance(actionContext(), { reason: 'Base de dados.', until });
    await start('2099-01-01T10:00');
    const form = await admin.get('/maintenance/start');
    await start('2099-01-02T11:30');
    const moved = await admin.submit(form, '/maintenance/start');
    expect([moved.status, textOf(moved, '#until-error')]).to.deep.equal([422, 'Is now: 2 Jan 2099, 11:30.']);
    const later = await admin.get('/maintenance/start');
    await start();
    expect(textOf(await admin.submit(later, '/maintenance/start'), '#until-error')).to.equal('Is now: Not set.');
  });

  it('an administrator begins it with a reason, changes it without another begin, and ends it, each recorded once', async () => {
    const admin = await asAdministrator();
    const { id: before } = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' }, select: { id: true } });
    const start = (typed: Record<string, string>) => admin.send('/maintenance/start', typed);
    expect((await start({})).status, 'a reason is needed').to.equal(422);
    const past = await start({ reason: 'Atualização.', until: '2020-01-01T10:00' });
    expect([past.status, textOf(past, '#until-error')]).to.deep.equal([422, 'Until must be in the future.']);
    const begun = await admin.follow(await start({ reason: 'Atualização.' }));
    expect(line(begun)).to.contain('Atualização.');
    expect(has(begun, 'a[href$="/maintenance/start"]')).to.equal(false);
    const form = await admin.get('/maintenance/start');
    expect(['reason', 'retryAfter', 'until'].map((name) => valueIn(form, `[name=${name}]`))).to.deep.equal([
      'Atualização.',
      '60',
      '',
    ]);
    expect(textOf(form, 'article')).to.not.match(/503|Retry-After/);
    const since = begun.document.querySelector('#maintenance time')?.getAttribute('datetime');
    const changed = await admin.follow(await start({ reason: 'Demora mais.', until: '2099-01-01T10:00' }));
    expect(changed.document.querySelector('#maintenance time')?.getAttribute('datetime')).to.equal(since);
    const ended = await admin.follow(await admin.submit(changed, '/maintenance/end'));
    expect(has(ended, '#maintenance')).to.equal(false);
    expect(has(ended, 'a[href$="/maintenance/start"]')).to.equal(true);
    const where = { id: { gt: before }, action: { startsWith: 'maintenance.' } };
    const entries = await db().auditEntry.findMany({ where, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, details }) => [action, Object(details).reason])).to.deep.equal([
      ['maintenance.started', 'Atualização.'],
      ['maintenance.started', 'Demora mais.'],
      ['maintenance.ended', undefined],
    ]);
  });

  it('an expected end that the clocks skip is refused beside its field; of one that they show twice, the later is meant and shown with its zone', async () => {
    const admin = await asAdministrator();
    const start = (until: string) =>
      admin.send('/maintenance/start', { reason: 'Atualização.', retryAfter: '300', until });
    const refused = await start('2027-03-28T01:30');
    expect([refused.status, textOf(refused, '#until-error')]).to.deep.equal([
      422,
      'Until must be a time that the clocks show; they skip this one.',
    ]);
    const typed = ['until', 'reason', 'retryAfter'].map((name) => valueIn(refused, `[name=${name}]`));
    expect(typed).to.deep.equal(['2027-03-28T01:30', 'Atualização.', '300']);
    const begun = await admin.follow(await start('2027-10-31T01:30'));
    expect(line(begun)).to.contain('Expected until 31 Oct 2027, 01:30:00 WET');
    const until = [...begun.document.querySelectorAll('#maintenance time')].at(-1);
    expect(until?.getAttribute('datetime')).to.equal('2027-10-31T01:30:00.000Z');
  });

  it('after an administrator’s own switch the next page says so at once, also on another instance', async () => {
    const admin = await asAdministrator();
    const other = PageClient.copyOf(admin, await startApp());
    for (const [path, typed, isShown] of [
      ['/maintenance/start', { reason: 'Atualização.' }, true],
      ['/maintenance/end', {}, false],
    ] as const) {
      expect(has(await other.get(''), '#maintenance')).to.equal(!isShown);
      const form = await admin.get(isShown ? path : '');
      const { headers } = await admin.submit(form, path, typed);
      expect(has(await other.get(headers.location ?? ''), '#maintenance'), path).to.equal(isShown);
      clock.aheadMs += 1000;
    }
  });

  it('a suspended company reads since when and why on every page', async () => {
    const acme = await newCompany();
    const client = await asPerson(acme, 'sub');
    await suspendCompany(actionContext(), { companyId: acme.id, reason: 'Faturas por pagar.' });
    for (const path of ['/', '/jobs', '/account', '/nothing'])
      expect(textOf(await client.get(path), 'main > .closed'), path).to.match(
        /is suspended.*Since \d+ \w+ \d{4}, .*Reason: Faturas por pagar\./,
      );
  });
});
