import { expect } from 'chai';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const notJson = 'The Content-Type is missing or does not name JSON: send Content-Type: application/json.';

/** A value of a field, and every message about it. The others are in domain/field-rules and contract/messages. */
const refusals: readonly (readonly [field: string, value: unknown, ...messages: string[]])[] = [
  [
    'external_application_url',
    'https://x.pt/100% a',
    'must have " " after its host percent-encoded: https://x.pt/100%25%20a',
    'must have two hexadecimal digits after each %',
  ],
  [
    'contact_email',
    'rh@exämple.com',
    'must be an email address, such as name@example.com: with its domain as xn--exmple-cua.com',
  ],
  ...['salary_min', 'valid_until', 'salary_type', 'requirements'].map(
    (field) => [field, '', 'is empty: leave it out, or send null'] as const,
  ),
];

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
