import { expect } from 'chai';
import {
  bearerChallenge,
  invalid,
  invalidField,
  invalidFields,
  methodNotAllowed,
  rejection,
  tooManyRequests,
  unavailable,
  unknownCompany,
  unknownCredential,
  unknownJob,
} from '../../src/domain/errors.ts';
import { filled } from '../../src/domain/message.ts';

describe('a refusal', () => {
  it('tells when to try again, in the details and in Retry-After', () => {
    const details = (reason: string) => ({ reason, retry_after_seconds: 7 });
    expect(unavailable('database', 'x', 7)).to.deep.include({
      status: 503,
      code: 'database',
      details: details('database'),
      headers: { 'Retry-After': '7' },
    });
    expect(tooManyRequests('company', 'x', 7, { 'RateLimit-Limit': '60' })).to.deep.include({
      status: 429,
      code: 'company',
      details: details('company'),
      headers: { 'RateLimit-Limit': '60', 'Retry-After': '7' },
    });
  });

  it('of a method names the methods of the path', () => {
    expect(methodNotAllowed('GET, POST')).to.deep.include({
      status: 405,
      details: { reason: 'method' },
      headers: { Allow: 'GET, POST' },
    });
  });

  it('of a credential has a challenge of RFC 6750', () => {
    expect(bearerChallenge({})).to.equal('Bearer realm="vaga"');
    expect(bearerChallenge({ error: 'invalid_token' })).to.equal('Bearer realm="vaga", error="invalid_token"');
  });

  it('of an input lists at most 50 messages, by field, whatever the field is called', () => {
    const named = [
      ['title', { text: 'a' }],
      ['__proto__', { text: 'b' }],
      ['title', { text: 'c' }],
    ] as const;
    const { status, code, details } = invalid(named);
    expect([status, code, Object.entries(details)]).to.deep.equal([
      422,
      'invalid_input',
      [
        ['title', ['a', 'c']],
        ['__proto__', ['b']],
      ],
    ]);
    for (const count of [50, 51, 1000]) {
      const { title } = invalid(Array.from({ length: count }, (_, n) => ['title', { text: `${n}` }] as const)).details;
      expect(title, `${count}`).to.have.length(50);
    }
  });

  it('of a person’s request names the wrong field, if there is one, and what the text needs', () => {
    expect(rejection('email_taken', 'x', 'email', { max: 5 })).to.deep.include({
      status: 409,
      code: 'email_taken',
      details: { reason: 'email_taken', field: 'email', max: 5 },
    });
    expect(rejection('not_allowed', 'x').details).to.deep.equal({ reason: 'not_allowed' });
    for (const [refused, field, text] of [
      [unknownCompany(7n), 'companyId', 'There is no company 7.'],
      [unknownJob(7n), 'jobId', 'There is no job 7.'],
      [unknownCredential(7n), 'credentialId', 'There is no credential 7.'],
    ] as const)
      expect([refused.status, refused.details.field, refused.message]).to.deep.equal([404, field, text]);
  });

  it('of several fields is a sentence for each, with the field’s name in words', () => {
    const faults = [
      ['retryAfter', { text: 'must be at most {{max}}', params: { max: 5 } }],
      ['email', { text: 'is taken' }],
    ] as const;
    expect(invalidFields(faults)).to.deep.include({
      status: 422,
      code: 'invalid_input',
      message: 'Retry after must be at most 5. Email is taken.',
      details: { reason: 'invalid_input', field: 'retryAfter' },
      faults,
    });
    expect(invalidField('email', 'is taken').faults).to.deep.equal([faults[1]]);
    expect(invalidField('x', 'a {{b}}', { b: 1 }).message).to.equal('X a 1.');
  });
});

it('a message has its values in place of their names; null reads "-", a date is in ISO 8601', () => {
  const params = { one: 1, none: null, at: new Date(0) };
  expect(filled({ text: '{{one}} {{none}} {{at}} {{other}}', params })).to.equal(
    '1 - 1970-01-01T00:00:00.000Z {{other}}',
  );
  expect(filled({ text: '{{one}}' })).to.equal('{{one}}');
});
