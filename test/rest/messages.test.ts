import { expect } from 'chai';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const url = 'external_application_url';
const email = 'contact_email';
const address = 'must be an email address, such as name@example.com';
const around = 'must have no white space before or after it';
const encoded = 'after its host percent-encoded';
const notJson = 'The Content-Type is missing or does not name JSON: send Content-Type: application/json.';
const empty = 'is empty: leave it out, or send null';

/** A value of a field, and every message about it. */
const refusals: readonly (readonly [field: string, value: unknown, ...messages: string[]])[] = [
  [url, ' https://example.com/jobs ', around],
  [url, 'https://example.com/jobs\n', around],
  [url, '\thttp://example.com', around, 'must begin with https://'],
  [url, 'https://example.com/a b', `must have " " ${encoded}: https://example.com/a%20b`],
  [url, 'https://x.pt/ã b?c=|#d#ã', `must have "ã", " ", "|", "#" ${encoded}: https://x.pt/%C3%A3%20b?c=%7C#d%23%C3%A3`],
  [
    url,
    'https://x.pt/100% a',
    `must have " " ${encoded}: https://x.pt/100%25%20a`,
    'must have two hexadecimal digits after each %',
  ],
  [email, 'rh@example.com ', `${address}: without a space`],
  [email, 'rh @example.com', `${address}: without a space`],
  [email, 'rh@example.com\r\n', `${address}: without a line end`],
  [email, 'RH <rh@example.com>', `${address}: without a name and angle brackets`],
  [email, 'mailto:rh@example.com', `${address}: without mailto:`],
  [email, 'a@example.com; b@example.com', `${address}: one address, not several`],
  [email, 'a@example.com,b@example.com', `${address}: one address, not several`],
  [email, 'a@example.com b@example.com', `${address}: one address, not several`],
  [email, 'josé@example.com', `${address}: with letters of ASCII only before the @`],
  [email, 'rh@exämple.com', `${address}: with its domain as xn--exmple-cua.com`],
  [email, 'nobody', address],
  ['contact_phone', 'abc', 'must contain a digit, such as +351 210 000 000'],
  ...[email, 'contact_phone', url, 'requirements', 'salary_benefits', 'remote_policy', 'valid_until', 'salary_min', 'salary_max']
    .concat(['salary_type', 'experience_years', 'education_details', 'contract_type', 'work_modality', 'education_level'])
    .map((field) => [field, '', empty] as const),
]; // biome-ignore format: a table

describe('a refusal says what to send', () => {
  let asWriter: RestClient;
  let secret: string;
  before(async () => {
    secret = await (await newCompany()).secret('sandbox', 'write');
    asWriter = new RestClient(server(), 'sandbox', secret);
  });

  for (const [field, value, ...messages] of refusals)
    it(`${field}: ${JSON.stringify(value)}`, async () => {
      const { status, body } = await asWriter.create({ ...minimalJob, [field]: value });
      expect([status, body.error.details]).to.deep.equal([422, { [field]: messages }]);
    });

  it('for a body of mostly removed HTML: how much counts and what to leave out', async () => {
    const copied = `<html><head><style>${'p.MsoNormal {margin:0cm}\n'.repeat(1600)}</style></head><body><!--x--><p class=a>Olá</p></body></html>`;
    const drawn = `<p>Olá</p><img src="data:image/png;base64,${'A'.repeat(50_000)}">`;
    for (const [sent, kept] of [
      [copied, 10],
      [drawn, 10],
    ] as const) {
      const { status, body } = await asWriter.create({ ...minimalJob, body: sent });
      expect(status).to.equal(422);
      const [message] = body.error.details.body;
      expect(message).to.include(`must have at most 30000 characters, not ${sent.length}, of which ${kept} are left`);
      expect(message).to.include('leave those out');
    }
    const { body } = await asWriter.create({ ...minimalJob, body: 'x'.repeat(30_001) });
    expect(body.error.details.body).to.deep.equal(['must have at most 30000 characters, not 30001; shorten the text']);
  });

  it('for a body with escaped tags: that they are escaped', async () => {
    const { body } = await asWriter.create({ ...minimalJob, body: '&lt;p&gt;Olá&lt;/p&gt;' });
    expect(body.error.details).to.deep.equal({ body: ['is escaped twice: send <p>, not &lt;p&gt;'] });
  });

  it('for a wrong Content-Type: the fault and what to send; any label of UTF-8 is accepted', async () => {
    const sendAs = (type: string) =>
      asWriter.send('POST', '/jobs', JSON.stringify(minimalJob), { 'Content-Type': type, 'Idempotency-Key': 'k' });
    for (const [type, message] of [
      ['text/json', notJson],
      ['json', notJson],
      ['application/json; charset=latin1', 'The charset of the Content-Type is not UTF-8: send utf-8 or none.'],
      ['application/json; charset=x', 'The charset of the Content-Type is not UTF-8: send utf-8 or none.'],
    ] as const) {
      const { status, body } = await sendAs(type);
      expect([status, body.error.message]).to.deep.equal([415, message]);
    }
    const untyped = { method: 'POST', body: Buffer.from('{}'), headers: { Authorization: `Bearer ${secret}` } };
    const { error } = await (await fetch(`${addressOf(server())}/sandbox/v1/jobs`, untyped)).json();
    expect(error.message).to.equal(notJson);
    for (const charset of ['utf8', 'UTF-8', '"utf-8"'])
      expect((await sendAs(`application/json; charset=${charset}`)).status).to.be.oneOf([200, 201]);
  });
});
