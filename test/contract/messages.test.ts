import { expect } from 'chai';
import { match, operationOf } from '../../src/contract/document.ts';
import { slugOf } from '../../src/contract/published-contract.ts';
import type { OperationId } from '../../src/contract/types.ts';
import { contractErrors } from '../../src/contract/validate.ts';
import { marked, saidOf } from '../helper/expect-refused.ts';

const job = {
  title: 'Eletricista',
  body: 'Obras',
  contact_instructions: 'CV',
  category_id: 303,
  district_id: 13,
  application_method: 'system',
};
const header = { 'Idempotency-Key': 'k' };

interface Sent {
  readonly path?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly body?: unknown;
  readonly bodyError?: string;
}

const errorsOf = (operationId: OperationId, sent: Sent) =>
  saidOf(contractErrors({ operationId, path: {}, query: {}, header: {}, ...sent }, '2026-11-27'), marked);
const errorsOfJob = (fields: object) => errorsOf('createJob', { header, body: { ...job, ...fields } });

describe('a message about a field says what to send', () => {
  const email = 'must be an email address, such as name@example.com';
  const date = 'must be a date that exists, written YYYY-MM-DD, such as';
  const method = 'must be one of system, email, phone, external';
  const unknown = 'is not a known field';
  /** A field of a job, its value and what is said about it; nothing if it is allowed. */
  const rows: readonly (readonly [field: string, value: unknown, ...messages: string[]])[] = [
    ['title', 'x'],
    ['title', 5, 'must be of type string, not number'],
    ['title', null, 'must be of type string, not null'],
    ['title', [], 'must be of type string, not array'],
    ['title', {}, 'must be of type string, not object'],
    ['title', '', 'must have at least 1 character'],
    ['title', 'x'.repeat(255)],
    ['title', '\u{1f600}'.repeat(256), 'must have at most 255 characters, not 256'],
    ['category_id', '303', 'must be of type integer, not string: 303; see <GET /categories>'],
    ['category_id', '1234567890123456', 'must be of type integer, not string; see <GET /categories>'],
    ['category_id', 'x3', 'must be of type integer, not string; see <GET /categories>'],
    ['category_id', 0, 'must be at least 1; see <GET /categories>'],
    ['category_id', 2_147_483_648, 'must be at most 2147483647; see <GET /categories>'],
    ['category_id', -2_147_483_649, 'must be at least 1; see <GET /categories>'],
    ['district_id', 1.5, 'must be of type integer, not number; see <GET /regions>'],
    ['district_id', '13', 'must be of type integer, not string: 13; see <GET /regions>'],
    ['salary_min', '1250.50', 'must be of type number, not string: 1250.5'],
    ['salary_min', '1250', 'must be of type number, not string: 1250'],
    ['salary_min', 'x1250', 'must be of type number, not string, such as 1250.5'],
    ['salary_min', '1.250,00 €', 'must be of type number, not string, such as 1250.5'],
    ['salary_min', -1, 'must be at least 0'],
    ...['salary_min', 'contact_email', 'valid_until', 'experience_years', 'language_requirements'].map(
      (field) => [field, 'null', 'is the word null: send null, or leave it out'] as const,
    ),
    ['contact_phone', 'None', 'is the word null: send null, or leave it out'],
    ['contract_type', 'undefined', 'is the word null: send null, or leave it out'],
    ['contract_type', 'FULL_TIME', 'must be one of full_time, part_time, contract, temporary, internship, freelance, null; did you mean full_time?'],
    ['work_modality', 'Híbrido', 'must be one of presencial, remoto, hibrido, null; did you mean hibrido?'],
    ['education_details', ['x', 'y'.repeat(501)], 'item 2 must have at most 500 characters, not 501'],
    ['language_requirements', [7, 'a\0'], 'item 1 must be of type string, not number', 'item 2 must not contain the character NUL'],
    ['salary_negotiable', 'true', 'must be of type boolean, not string: true'],
    ['salary_negotiable', 'false', 'must be of type boolean, not string: false'],
    ['salary_negotiable', 'untrue', 'must be of type boolean, not string'],
    ['salary_negotiable', 'trueish', 'must be of type boolean, not string'],
    ['language_requirements', 'Inglês', 'must be of type array, not string: ["Inglês"]'],
    ['language_requirements', 5, 'must be of type array, not number'],
    ['language_requirements', Array(51).fill('x'), 'must have at most 50 items, not 51'],
    ['language_requirements', '["pt","en"]', 'must be of type array, not string: ["pt","en"]'],
    ['language_requirements', '5', 'must be of type array, not string: ["5"]'],
    ['language_requirements', 'x'.repeat(61), 'must be of type array, not string: ["…"]'],
    ...['a\nb', 'a\0', '\ud800'].map((text) => ['language_requirements', text, 'must be of type array, not string: ["…"]'] as const),
    ['application_method', 'sistem', `${method}; did you mean system?`],
    ['application_method', 'fax', method],
    ['application_method', 5, 'must be of type string, not number', method],
    ['valid_until', '2030-12-31'],
    ['valid_until', '2030-02-30', `${date} 2030-12-31`],
    ['valid_until', '31/12/2030', `${date} 2030-12-31`],
    ['valid_until', '5.31.2030', `${date} 2030-05-31`],
    ['valid_until', '05-05-2030', `${date} 2030-05-05`],
    ['valid_until', '5/5/2030', `${date} 2030-05-05`],
    ['valid_until', '12/12/2030', `${date} 2030-12-12`],
    ['valid_until', '13/1/2031', `${date} 2031-01-13`],
    // Day and month could be swapped.
    ['valid_until', '12/05/2029', `${date} 2030-12-31`],
    ['valid_until', '05/12/2029', `${date} 2030-12-31`],
    ['valid_until', '01/02/2029', `${date} 2030-12-31`],
    ['valid_until', 'x31/12/2029', `${date} 2030-12-31`],
    ['valid_until', '31/12/20290', `${date} 2030-12-31`],
    ['valid_until', '32/12/2029', `${date} 2030-12-31`],
    ['valid_until', '2029-06-01T10:00:00Z', `${date} 2029-06-01`],
    ['valid_until', '0000-01-01', `${date} 2030-12-31`],
    ...['2020-01-01T00:00:00Z', '13/1/2020', '2026-11-27T09:00:00Z'].map(
      (past) => ['valid_until', past, `${date} 2030-12-31`] as const,
    ),
    ['valid_until', '2026-11-28T09:00:00Z', `${date} 2026-11-28`],
    ['contact_email', 'rh@example.com'],
    ['contact_email', ' MAILTO:rh@example.com', `${email}: without mailto:`],
    ['contact_email', 'a@example.com,b@example.com', `${email}: one address, not several`],
    ['contact_email', 'a@example.com; b@example.com', `${email}: one address, not several`],
    ['contact_email', 'a@example.com b@example.com', `${email}: one address, not several`],
    ['contact_email', 'rh@example.com ', `${email}: without a space`],
    ['contact_email', 'RH <rh@example.com>', `${email}: without a name and angle brackets`],
    ['contact_email', 'rh@example.com\n', `${email}: without a line end`],
    ['contact_email', 'rh @example.com', `${email}: without a space`],
    ['contact_email', 'josé@example.com', `${email}: with letters of ASCII only before the @`],
    ['contact_email', 'rh@exämple.com', `${email}: with its domain as xn--exmple-cua.com`],
    ['contact_email', 'rh@\ud800ä', `${email}: with its domain as xn--...`],
    ['contact_email', 'nobody', email],
    ['contact_email', 'rh@exämple.com'.repeat(20), 'must have at most 255 characters, not 280'],
    ['contact_phone', 'x'.repeat(21), 'must have at most 20 characters, not 21'],
    ['contact_phone', 'abc', 'must contain a digit, such as +351 210 000 000'],
    ['contact_phone', '', 'is empty: leave it out, or send null'],
    ['external_application_url', 'no address', 'must begin with https://'],
    ['external_application_url', ' http://x\0', 'must not contain the character NUL'],
    ['external_application_url', 'https://a:b@example.com/%', 'must not contain a user name or password', 'must have two hexadecimal digits after each %'],
    ['external_application_url', 'https://a.pt/?q=[', 'must have "[" after its host percent-encoded: https://a.pt/?q=%5B'],
    ['external_application_url', 'null', 'is the word null: send null, or leave it out'],
    ['external_application_url', 'x'.repeat(2049), 'must have at most 2048 characters, not 2049'],
    ['contact_instructions', ' ', 'must contain a visible character'],
    ['title', '\u200b ', 'must contain a visible character'],
    ['external_application_url', 'http://example.com', 'must begin with https://'],
    ['title', 'a\0b', 'must not contain the character NUL'],
    ['title', 'a\ud800', 'must not contain a lone surrogate (half of a UTF-16 pair)'],
    ['language_requirements', ['\ud800', '\0'], 'item 1 must not contain a lone surrogate (half of a UTF-16 pair)', 'item 2 must not contain the character NUL'],
    ['title', `a${'\u0300'.repeat(30)}b\u0300${'\u200d'.repeat(40)}`],
    ['title', `a${'\u0300\u200d'.repeat(31)}`, 'must have at most 30 combining marks, such as accents, in a row'],
    ['title', '\u{1f600}'],
    ['work_modality', '\0', 'must be one of presencial, remoto, hibrido, null'],
    ['experience_years', 1e300, 'must be at most 50'],
    ['id', 5, `${unknown}; leave it out: the service sets it`],
    ['idempotency_key', 'k', `${unknown}; send <Idempotency-Key> outside <request_body>`],
    ['titl', 'x', `${unknown}; did you mean title?`],
    ['region', 13, `${unknown}; did you mean district_id?`],
    ['salary', 5, `${unknown}; did you mean salary_min or salary_max?`],
    ['quite_something', 5, unknown],
  ]; // biome-ignore format: a table

  for (const [field, value, ...messages] of rows)
    it(`${field}: ${JSON.stringify(value).slice(0, 40)}`, () => {
      expect(errorsOfJob({ [field]: value })).to.deep.equal(messages.map((message) => [field, message]));
    });

  it('a name of more than 100 characters is shortened', () => {
    const [[field = ''] = []] = errorsOfJob({ ['q'.repeat(101)]: 1 });
    expect(field).to.equal(`${'q'.repeat(100)}…`);
    expect(errorsOfJob({ ['q'.repeat(100)]: 1 })[0]?.[0]).to.equal('q'.repeat(100));
    expect(errorsOf('listJobs', { query: { ['q'.repeat(101)]: 1 } })[0]?.[0]).to.equal(field);
  });

  it('a name with a slash or a tilde is said as it was sent', () => {
    const fields = ['a/b', 'a~b', 'a~1b'].map((name) => errorsOfJob({ [name]: 1 })[0]?.[0]);
    expect(fields).to.deep.equal(['a/b', 'a~b', 'a~1b']);
  });

  it('a required field says which values it may have, a key how to make one', () => {
    const { application_method, title, ...others } = job;
    expect(errorsOf('createJob', { body: others })).to.have.deep.members([
      ['<Idempotency-Key>', 'is required; a new UUID will do'],
      ['title', 'is required'],
      ['application_method', 'is required: one of system, email, phone, external'],
    ]);
  });

  it('a parameter, in a query or a header, is named in the caller’s words', () => {
    const key = 'must be 1 to 128 letters, digits and the characters . _ : -; a new UUID will do';
    const etag =
      'must be the ETag that was read, with its double quotes, such as "48213/2026-11-20T14:02:09.077Z…", or *; or leave it out';
    const instant = 'must be a date-time with its offset, such as 2026-11-20T09:00:00Z';
    const statuses = operationOf('listJobs').parameters.find(({ name }) => name === 'status')?.schema as {
      enum?: string[];
    };
    for (const [operationId, sent, ...errors] of [
      ['createJob', { header: { 'Idempotency-Key': 'a b' }, body: job }, ['<Idempotency-Key>', key]],
      ['updateJob', { path: { id: 1 }, header: { 'If-Match': 'x' }, body: { title: 'x' } }, ['<If-Match>', etag]],
      ['updateJob', { path: { id: 1 }, body: {} }, ['<request_body>', 'must have at least 1 field']],
      ['listJobs', { query: { page: 'x' } }, ['page', 'must be of type integer']],
      // Text that no URL turns into a number. Over MCP, 10 in quotes is one.
      ['listJobs', { query: { page: '01', per_page: '1e1' } }, ['page', 'must be of type integer, such as 1'], ['per_page', 'must be of type integer']],
      ['listJobs', { query: { page: ['1', '2'] } }, ['page', 'must be of type integer, not several values']],
      ['listJobs', { query: { include: '' } }, ['include', 'must be one of idempotency_keys; or leave it out']],
      ['listJobs', { query: { page: 0 } }, ['page', 'must be at least 1']],
      ['listJobs', { query: { cursor: '\0' } }, ['cursor', 'must not contain the character NUL']],
      ['updateJob', { path: { id: 1 }, header: { 'If-Match': '"\ud800"' }, body: { title: 'x' } }, ['<If-Match>', 'must not contain a lone surrogate (half of a UTF-16 pair)']],
      ['getJob', { path: { id: 2 ** 53 } }, ['id', 'must be from -9007199254740991 to 9007199254740991']],
      ['listJobs', { query: { per_page: 1000 } }, ['per_page', 'must be at most 100']],
      ['listJobs', { query: { updated_since: 'now' } }, ['updated_since', instant]],
      ['listJobs', { query: { updated_since: '2026-11-20T09:00:00 01:00' } }, ['updated_since', `${instant}; in a URL, + is written %2B`]],
      ['listJobs', { query: { updated_since: '2026-11-20T09:00:00 01:00x' } }, ['updated_since', instant]],
      ...['Z', '+01:00'].map(
        (zone) =>
          ['listJobs', { query: { updated_since: `2026-11-20T09:00${zone}` } }, ['updated_since', `${instant}: with its seconds`]] as const,
      ),
      ['listJobs', { query: { updated_since: '2026-11-20T09:00:00+01:00' } }],
      ['listJobs', { query: { pag: 1 } }, ['pag', `${unknown}; did you mean page?`]],
      ['listJobs', { query: { quite_something: 1 } }, ['quite_something', unknown]],
      ['listJobs', { query: { per_page: '10' } }, ['per_page', 'must be of type integer, not string: 10']],
      ['listJobs', { query: { status: 'zzz' } }, ['status', `must be one of ${statuses.enum?.join(', ')}; leave it out for all`]],
      ['createJob', { query: { title: 'x' }, header, body: job }, ['title', `${unknown}; send it inside <request_body>`]],
      ['createJob', { query: { titel_x: 'x' }, header, body: job }, ['titel_x', unknown]],
      ['createJob', { query: { titl: 'x' }, header, body: job }, ['titl', `${unknown}; did you mean title, inside <request_body>?`]],
      ['createJob', { query: { request_bod: 1 }, header, body: job }, ['request_bod', `${unknown}; did you mean <request_body>?`]],
      ['listJobs', { query: { request_bod: 1 } }, ['request_bod', unknown]],
      // No argument of the tool.
      ['listOptions', { query: { if_none_match: 1 } }, ['if_none_match', unknown]],
      ['createJob', { header }, ['<request_body>', 'is required']],
      ['createJob', { header, bodyError: 'is not JSON' }, ['<request_body>', 'is not JSON']],
      ['createJob', { header: {}, bodyError: 'is not JSON' }, ['<request_body>', 'is not JSON'], ['<Idempotency-Key>', 'is required; a new UUID will do']],
      ['createJob', { header, body: 5 }, ['<request_body>', 'must be of type object, not number']],
      ['listJobs', { body: 5, bodyError: 'is not JSON' }],
    ] as const) // biome-ignore format: a table
      expect(errorsOf(operationId, sent), JSON.stringify([operationId, sent])).to.deep.equal(errors);
  });

  it('a list or an object that is too large gets one message', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`quite_${n}`, 1]));
    expect(errorsOfJob(many)).to.deep.equal([['<request_body>', 'must have known names only; 21 are unknown']]);
    expect(errorsOf('updateJob', { path: { id: 1 }, body: many })).to.have.length(1);
    expect(errorsOf('listJobs', { query: many })).to.deep.equal([
      ['<query>', 'must have known names only; 21 are unknown'],
    ]);
    const { quite_0, ...twenty } = many;
    expect(errorsOfJob(twenty)).to.have.length(20);
  });
});

describe('the operation of a method and a path', () => {
  it('is that of its template, with the values of the path; slashes at the end do not count', () => {
    for (const [method, path, operationId, id] of [
      ['get', '/jobs/17', 'getJob', '17'],
      ['delete', '/jobs/a%20b//', 'withdrawJob', 'a%20b'],
      ['post', '/jobs/', 'createJob', undefined],
      ['get', '/account', 'getAccount', undefined],
    ] as const) {
      const found = match(method, path);
      if (found.kind !== 'operation') return expect.fail(path);
      expect([found.operation.operationId, found.pathValues], path).to.deep.equal([
        operationId,
        id === undefined ? {} : { id },
      ]);
    }
  });

  it('is none for an unknown path; for another method, the methods of the path, with HEAD beside GET', () => {
    for (const path of ['', '/', '/nothing', '/jobs/1/2', '/x/account', '/accounts'])
      expect(match('get', path), path).to.deep.equal({ kind: 'none' });
    expect(match('put', '/jobs')).to.deep.equal({ kind: 'method', allow: ['GET', 'HEAD', 'POST'] });
    expect(match('post', '/jobs/1')).to.deep.equal({ kind: 'method', allow: ['GET', 'HEAD', 'PATCH', 'DELETE'] });
  });

  it('a name that the contract does not have is a fault', () => {
    expect(() => operationOf('nothing' as OperationId)).to.throw('nothing');
  });
});

it('a title in an address of the reference has lower case, hyphens and no punctuation', () => {
  for (const [title, slug] of [
    ['Limits (429)', 'limits-429'],
    [' Jobs  of-yours! ', 'jobs-of-yours'],
  ] as const)
    expect(slugOf(title)).to.equal(slug);
});
