import { expect } from 'chai';
import { addFormToken, type SessionIdHash } from '../../src/auth/page-sessions-sql.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { asPerson, type Page, password, textOf, valueIn } from '../helper/page-client.ts';

const path = '/credentials/issue';
const filled = { label: 'Site', environment: 'sandbox', access: 'write', days: '30', currentPassword: password };

/** A form that issues a credential, and how many it has issued. */
async function newForm() {
  const acme = await newCompany();
  const client = await asPerson(acme);
  const form = await client.get(path);
  const send = (typed: Record<string, string> = {}, from = form) => client.submit(from, path, { ...filled, ...typed });
  const count = () => db().credential.count({ where: { companyId: acme.id } });
  const [{ portal, idHash }] = await db().$queryRaw<[{ portal: 'company'; idHash: SessionIdHash }]>`
    SELECT realm AS portal, id_hash AS "idHash" FROM page_sessions
     WHERE ${valueIn(form, '[name=once]')}::text = ANY (form_tokens)`;
  const showForms = async (howMany: number) => {
    for (let n = 0; n < howMany; n++) await addFormToken(db(), portal, idHash, `${n}`);
  };
  return { client, form, send, count, showForms };
}

/** Expects the form as it was typed, with the question whether it was done. */
function expectAsked(answer: Page, label = filled.label): void {
  expect([answer.status, valueIn(answer, '#label')]).to.deep.equal([422, label]);
  expect(textOf(answer, '[role=alert]')).to.match(/ Check whether it was done before you send it again\.$/);
}

describe('a form that is carried out once', () => {
  it('is not carried out again after any number of others: it is asked whether it was done', async () => {
    const { client, form, send, count, showForms } = await newForm();
    expect((await send()).status).to.equal(200);
    await showForms(101);
    expect([(await send()).status, await count()], 'its answer is still known').to.deep.equal([200, 1]);
    const next = await client.get(path);
    expect((await send({ label: 'Other form' }, next)).status).to.equal(200);
    await showForms(101);
    const asked = await send();
    expectAsked(asked);
    expectAsked(await send({ label: 'Changed' }), 'Changed');
    expect(await count()).to.equal(2);
    expect((await client.submit(asked, path, filled)).status).to.equal(200);
    expect([await count(), valueIn(asked, '[name=once]') === valueIn(form, '[name=once]')]).to.deep.equal([3, false]);
  });

  it('is kept as typed if too many others were shown before it was sent', async () => {
    const { send, count, showForms } = await newForm();
    await showForms(99);
    const { send: sendLate, count: countLate, client, showForms: showOthers } = await newForm();
    await showOthers(101);
    expect([(await send()).status, await count()]).to.deep.equal([200, 1]);
    const asked = await sendLate();
    expectAsked(asked);
    expect(await countLate()).to.equal(0);
    expect((await client.submit(asked, path, filled)).status).to.equal(200);
  });

  it('is another form with other values, and none of them is carried out twice', async () => {
    const { client, send, count } = await newForm();
    const labels = ['One', 'Two'];
    for (const label of labels) expect((await send({ label })).status).to.equal(200);
    for (const label of [...labels, ...labels]) await send({ label });
    expect(await count()).to.equal(2);
    expect((await send({ label: 'Three', currentPassword: 'wrong' })).status).to.equal(422);
    const next = await client.get(path);
    expect((await send({ label: 'Other form' }, next)).status).to.equal(200);
    for (const label of labels) expectAsked(await send({ label }), label);
    expect(await count()).to.equal(3);
  });

  it('that was refused may be sent again', async () => {
    const { send, count } = await newForm();
    for (const label of ['One', 'Two']) {
      expect((await send({ label, currentPassword: 'wrong' })).status).to.equal(422);
      expect((await send({ label })).status).to.equal(200);
    }
    expect(await count()).to.equal(2);
  });

  it('is carried out by one of two builds: the version before removes the token that it finds', async () => {
    const { form, send, count } = await newForm();
    const take = (token = '') => db().$executeRaw`
      UPDATE page_sessions SET form_tokens = array_remove(form_tokens, ${token}::text)
       WHERE ${token}::text = ANY (form_tokens)`;
    expect((await send()).status).to.equal(200);
    expect(await take(valueIn(form, '[name=once]')), 'then by the version before').to.equal(0);
    const { form: theirs, send: sendTheirs, count: countTheirs } = await newForm();
    expect(await take(valueIn(theirs, '[name=once]')), 'first by the version before').to.equal(1);
    expectAsked(await sendTheirs());
    expect([await count(), await countTheirs()]).to.deep.equal([1, 0]);
  });
});
