import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, asPerson, has, linkIn, type PageClient, textOf, textsOf } from '../helper/page-client.ts';

const production = '[aria-labelledby=production]';

/** The actions on requests in a company's audit trail, and their reasons. */
const recordedOf = async ({ id: companyId }: TestCompany) =>
  (
    await db().auditEntry.findMany({
      where: { companyId, action: { contains: 'production_re' } },
      orderBy: { id: 'asc' },
    })
  ).map(({ action, details }) => [action, Object(details).reason]);

describe('a request for production', () => {
  let admin: PageClient;
  before(async () => {
    admin = await asAdministrator();
  });

  const rowsOf = async (name: string) =>
    textsOf(await admin.get(`/companies?state=waiting&text=${encodeURIComponent(name)}`), 'tbody tr');
  const countOf = async () => Number(/(\d+) compan(y|ies) to approve/.exec(textOf(await admin.get('')))?.[1]);

  it('nobody waits before asking: the page says what is missing, and no list has the company', async () => {
    const name = `Por pedir ${randomUUID()}`;
    const acme = await newCompany({ plan: null, approved: false, name });
    const card = textOf(await (await asPerson(acme)).get('/'), production);
    expect(card).to.match(
      /Closed: No plan that includes production, Not approved.*requires a plan.*must approve.*Ask for production/,
    );
    expect(card).to.not.contain('Waiting');
    expect(await rowsOf(name)).to.deep.equal([]);
    expect(textOf(await admin.get(`/companies?text=${encodeURIComponent(name)}`), 'tbody .badge')).to.equal(
      'Not approved',
    );
  });

  for (const [decision, typed, badge] of [
    ['approve', {}, 'Closed: No plan that includes production'],
    ['refuse', { reason: 'Falta o contrato.' }, 'Closed: No plan that includes production, Not approved'],
  ] as const)
    it(`is made once with a note, is in the administrators' list with its day and counted, and "${decision}" empties it`, async () => {
      const name = `A pedir ${randomUUID()}`;
      const acme = await newCompany({ plan: null, approved: false, name });
      const main = await asPerson(acme);
      const before = await countOf();
      const path = linkIn(await main.get('/'), `${production} a[href$=request]`)?.replace('/dashboard', '') ?? '';
      const form = await main.get(path);
      const asked = await main.follow(await main.submit(form, path, { reason: 'Queremos publicar em dezembro.' }));
      expect(textOf(asked, '.notice')).to.contain('An administrator will decide');
      expect(textOf(asked, production)).to.match(/Waiting for approval.*Asked for production on \d+ \w+ \d{4}/);
      expect(has(asked, `${production} a[href$=request]`)).to.equal(false);
      expect(textOf(await main.follow(await main.get(path)), '.notice')).to.contain('already asked');
      await main.submit(form, path, { reason: 'Outra vez.' });
      expect(await recordedOf(acme)).to.deep.equal([
        ['company.production_requested', 'Queremos publicar em dezembro.'],
      ]);
      const rows = await rowsOf(name);
      expect(rows).to.have.length(1);
      expect(rows[0]).to.match(/A pedir.*Waiting for approval.*\d+ \w+ \d{4}/);
      expect(await countOf()).to.equal(before + 1);
      const company = `/companies/${acme.id}`;
      expect(textOf(await admin.get(company), '[aria-labelledby=access]')).to.contain('Queremos publicar em dezembro.');
      await admin.send(`${company}/${decision}`, typed);
      expect(await rowsOf(name)).to.deep.equal([]);
      expect(await countOf()).to.equal(before);
      const answered = await main.get('/');
      expect(textOf(answered, `${production} .badge`)).to.equal(badge);
      const refused = /Production was refused on \d+ \w+ \d{4}.*[.] Reason: Falta o contrato[.]/;
      const sub = await asPerson(acme, 'sub');
      for (const page of [answered, await sub.get('/')])
        expect(refused.test(textOf(page, production)), textOf(page, production)).to.equal(decision === 'refuse');
      if (decision === 'refuse') {
        await main.send(path, { reason: 'Com o contrato.' });
        expect(textOf(await main.get('/'), production))
          .to.match(/Asked for production on/)
          .and.not.match(/refused/);
        await admin.send(`${company}/refuse`, { reason: 'Ainda falta.' });
        expect(textOf(await main.get('/'), production)).to.match(/Reason: Ainda falta[.]/);
        await admin.send(`${company}/approve`);
        await admin.send(`${company}/unapprove`, { reason: 'Outro motivo.' });
        expect(textOf(await main.get('/'), production)).to.not.match(/refused/);
      }
      expect(textOf(await admin.get(company))).to.not.contain('Queremos publicar');
      const { productionRequestNote } = await db().company.findUniqueOrThrow({ where: { id: acme.id } });
      expect(productionRequestNote).to.equal(null);
    });

  it('is not for sub-accounts, nor for people of a suspended company', async () => {
    const acme = await newCompany({ approved: false });
    const sub = await asPerson(acme, 'sub');
    expect(has(await sub.get('/'), 'a[href$=request]')).to.equal(false);
    expect((await sub.get('/request')).status).to.equal(403);
    const main = await asPerson(acme);
    const form = await main.get('/request');
    await suspendCompany(actionContext(), { companyId: acme.id });
    expect(has(await main.get('/'), 'a[href$=request]')).to.equal(false);
    expect((await main.submit(form, '/request')).status).to.be.at.least(400);
    expect(await recordedOf(acme)).to.deep.equal([]);
  });
});
