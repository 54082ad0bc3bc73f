import { expect } from 'chai';
import type { ApiContext } from '../../src/context.ts';
import type { Input } from '../../src/contract/types.ts';
import { type ApiError, inWordsOf } from '../../src/domain/errors.ts';
import {
  changesOf,
  type FieldRules,
  type Fields,
  newRow,
  type Rules,
  referenceIdMax,
} from '../../src/domain/field-rules.ts';
import type { FieldError } from '../../src/domain/message.ts';
import { createJob, refuseCreateJob } from '../../src/operations/jobs/api/create-job.ts';
import { assertPlace, checkJob, refuseJob } from '../../src/operations/jobs/check-job.ts';
import { type Check, checkFields, refuseFields } from '../../src/operations/kit/api/check-fields.ts';
import { StoredResource } from '../../src/operations/kit/api/stored-resource.ts';
import { StoredRows } from '../../src/operations/stored/stored-rows.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { marked, refusalOf, saidOf } from '../helper/expect-refused.ts';
import { actionContext, callerOf, newCompany } from '../helper/fixtures.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';

const period = { start: inDays(-10), end: inDays(20) };

/** The context of a credential in production that may publish at once. */
const newContext = async (limit = 5): Promise<ApiContext> => {
  const actor = {
    ...(await callerOf(await newCompany({ autoPublish: true }), 'production')),
    entitlement: { allowance: 'subscription', accessType: 'subscription', limit, period },
  };
  const own = { actor, publicUrl: 'https://vaga.example', about: {} };
  // Creates use nothing else of an ApiContext.
  return { ...actionContext(), ...own } as object as ApiContext;
};

const messagesOf = async (answer: Promise<unknown>) => {
  const refused = await refusalOf(answer);
  expect(refused.status).to.equal(422);
  return inWordsOf(marked, refused).details;
};

const empty = 'is empty: leave it out, or send null';
const unread = 'must contain text that can be read, not only tags and white space';
const noCategory = 'must be the id of an active category with a parent_id; see <GET /categories>';
const mainArea =
  'is a main area; send the id of one of its children, which have it as parent_id; see <GET /categories>';
const noRegion = 'must be the id of a region; see <GET /regions>';

describe('checkJob', () => {
  let ctx: ApiContext;
  before(async () => {
    ctx = await newContext();
  });
  const check = (fields: Fields, stored?: Fields, known?: readonly FieldError[]) =>
    checkJob(ctx, fields, stored, known);

  it('returns the fields as sent, with their HTML sanitized', async () => {
    const sent = { ...minimalJob, body: '<p onclick="x()">Obras</p><script>x</script>' };
    expect(await check(sent)).to.deep.equal({ ...sent, body: '<p>Obras</p>' });
    expect(await check({ title: 'Pintor' }, minimalJob)).to.deep.equal({ title: 'Pintor' });
  });

  it('sees a new row with the defaults of the fields that were left out', async () => {
    const site = {
      kind: 'text',
      label: 'Site',
      required: false,
      nullable: true,
      requiredWhen: { open: true },
    } as const;
    const open = { kind: 'boolean', label: 'Open', required: false, nullable: false, default: true } as const;
    const rules: Rules = new Map<string, FieldRules>([['site', site], ['open', open]]); // biome-ignore format: a table
    const needed = ['site', 'is required when open is true'];
    const refused = async (body: Fields, known: FieldError[] = []) => {
      const check: Check = (supplied, stored, errors) => checkFields(ctx, rules, supplied, { stored, known: errors });
      const act = known[0] ? refuseFields(rules, body, known, newRow(rules), check) : checkFields(ctx, rules, body, {});
      return saidOf((await refusalOf(act)).faults);
    };
    expect(await refused({})).to.deep.equal([needed]);
    expect(await checkFields(ctx, rules, { open: false }, {})).to.deep.equal({ open: false });
    const unknown: FieldError = ['x', { text: 'is not a known field' }];
    expect(await refused({ x: 1 }, [unknown])).to.deep.equal([['x', 'is not a known field'], needed]);
    const wrong: FieldError = ['open', { text: 'must be true or false' }];
    expect(await refused({ open: 1 }, [wrong])).to.deep.equal([['open', 'must be true or false']]);
  });

  it('a stored row is named by its first required text, or by its id if the text cannot be seen', () => {
    const { nameOf } = new StoredRows(new StoredResource({ table: 'jobs', rowsMax: 1 }));
    const names = ['Pintor', 'null', null, ' ', '\u200b'].map((title) => nameOf({ id: 7n, title }));
    expect(names).to.deep.equal(['Pintor', 'null', '7', '7', '7']);
  });

  it('has the rules that every stored resource has', async () => {
    const resource = new StoredResource({ table: 'jobs', rowsMax: 1 });
    for (const wrong of [{ category_id: 1 }, { category_id: 999 }, { district_id: 999, salary_min: 0.001 }]) {
      const fields = { ...wrong, salary_type: '' };
      const ofJob = await messagesOf(check(fields, minimalJob));
      expect(await messagesOf(resource.checked(ctx, fields, minimalJob))).to.deep.equal(ofJob);
    }
    expect(await messagesOf(resource.checked(ctx, { category_id: 1 }, {}))).to.deep.equal({ category_id: [mainArea] });
    const read = { id: 1, created_at: '', updated_at: '', salary_min: '0.00', salary_max: '10.50', category_id: 1 };
    const sent = { salary_min: -1e-9, salary_max: 10.500000001, category_id: 1 };
    const changes = await resource.checked(ctx, changesOf(resource.rules, read, sent), sent);
    expect(
      changesOf(resource.rules, read, changes),
      'a stored reference, and decimals that are stored as before',
    ).to.deep.equal({});
    const precise = changesOf(resource.rules, read, { salary_max: 10.501 });
    expect(Object.keys(await messagesOf(resource.checked(ctx, precise, precise)))).to.deep.equal(['salary_max']);
  });

  it('refuses combining marks that only the sanitized HTML has in a row', async () => {
    for (const body of ['a<b>b\u0300'.concat('</b><i></i>\u0300'.repeat(31)), `a${'&#x300;'.repeat(31)}`])
      expect(await messagesOf(check({ body }, minimalJob))).to.deep.equal({
        body: ['must have at most 30 combining marks, such as accents, in a row'],
      });
  });

  it('names every fault once: single fields, rules between fields, HTML and references, and known faults', async () => {
    const wrong = { salary_type: '', body: '<p></p>', category_id: 1, district_id: 999, salary_min: 2, salary_max: 1 };
    expect(await messagesOf(check(wrong))).to.deep.equal({
      salary_type: [empty],
      body: [unread],
      category_id: [mainArea],
      district_id: [noRegion],
      salary_max: ['must be at least salary_min, which is 2'],
    });
    const ofBody = { body: ['is known'] };
    const refusedBody = check({ body: '<p></p>' }, {}, [['body', { text: 'is known' }]]);
    expect(await messagesOf(refusedBody), 'HTML of a refused field').to.deep.equal(ofBody);
    const known = [['category_id', { text: 'is known' }]] as const;
    const alone = { category_id: ['is known'] };
    expect(await messagesOf(check({ category_id: 1 }, {}, known))).to.deep.equal(alone);
    expect(await messagesOf(check({ salary_type: '' }, {}, known))).to.deep.equal({ ...alone, salary_type: [empty] });
  });

  it('several fields, of any name, may refer to one list', async () => {
    const field = (references: 'categories' | 'districts'): FieldRules => ({
      kind: 'integer', label: 'One', required: false, nullable: true, references }); // biome-ignore format: a table
    const lists = { from: 'districts', to: 'districts', trade: 'categories', second_trade: 'categories' } as const;
    const rules: Rules = new Map(Object.entries(lists).map(([name, list]) => [name, field(list)]));
    const accepted = { from: 13, to: 1, trade: 303, second_trade: null };
    expect(await checkFields(ctx, rules, accepted, {})).to.deep.equal(accepted);
    const wrong = { from: 13, to: 999, trade: 1, second_trade: 999 };
    const refused = { to: [noRegion], trade: [mainArea], second_trade: [noCategory] };
    expect(await messagesOf(checkFields(ctx, rules, wrong, {}))).to.deep.equal(refused);
  });

  it('looks up the ids that the database can store; the schema refuses the others', async () => {
    for (const [id, message] of [
      [1, mainArea],
      [referenceIdMax, noCategory],
      [303, undefined],
      ...[0, -1, 1.5, 'x', null, undefined].map((other) => [other, undefined] as const),
    ] as const) {
      const { salary_type, ...found } = await messagesOf(check({ salary_type: '', category_id: id }));
      expect(found, String(id)).to.deep.equal(message === undefined ? {} : { category_id: [message] });
    }
    const tooLarge = await messagesOf(check({ salary_type: '', category_id: referenceIdMax + 1 }));
    expect(tooLarge.category_id).to.deep.equal(['is no known id; see <GET /categories>']);
  });

  it('is refused with 503 while the sanitizer is busy, or with 422 without the body if something else is wrong', async () => {
    const busy = { ...ctx, sanitizer: new Sanitizer({ pendingMax: 0 }) };
    const body = '<p></p>';
    expect(await refusalOf(checkJob(busy, { body }, { body }))).to.include({ status: 503, code: 'sanitizer' });
    const wrong = { salary_type: '', body };
    expect(await messagesOf(checkJob(busy, wrong, wrong))).to.deep.equal({ salary_type: [empty] });
  });

  it('the database’s reason about a place is 422, or 403 for a district in which the company may not publish', () => {
    const thrown = (...refusals: Parameters<typeof assertPlace>[0]): ApiError | undefined => {
      try {
        assertPlace(refusals);
        return undefined;
      } catch (error) {
        return error as ApiError;
      }
    };
    expect([thrown(), thrown('quota', 'changed')]).to.deep.equal([undefined, undefined]);
    expect(inWordsOf(marked, thrown('category', 'district') as ApiError).details).to.deep.equal({
      category_id: [noCategory],
      district_id: [noRegion],
    });
    const elsewhere = { reason: 'permission', field: 'district_id' };
    expect(thrown('elsewhere')).to.deep.include({ status: 403, code: 'permission', details: elsewhere });
    expect(thrown('elsewhere')?.message).to.equal('This company may not publish in that district.');
    expect(thrown('elsewhere', 'area')).to.include({ status: 422 });
  });
});

describe('a body that breaks the schema', () => {
  let ctx: ApiContext;
  before(async () => {
    ctx = await newContext();
  });
  const refuse = (body: unknown, known: readonly (readonly [string, string])[], stored?: Fields) =>
    messagesOf(
      refuseJob(
        ctx,
        body,
        known.map(([field, text]) => [field, { text }] as const),
        stored ?? 'unknown',
      ),
    );

  it('gets its other faults too, if it is an object', async () => {
    for (const body of [undefined, null, [], 'x', 7])
      expect(await refuse(body, [['request_body', 'x']]), String(body)).to.deep.equal({ '<request_body>': ['x'] });
    const body = { title: 7, toString: 'x', colour: 'red', category_id: 1, salary_max: 1 };
    expect(await refuse(body, [['title', 'x']], { salary_min: 5, title: 'Pintor' })).to.deep.equal({
      title: ['x'],
      category_id: [mainArea],
      salary_max: ['must be at least salary_min, which is 5'],
    });
    expect(await refuse({ colour: 'red' }, [['colour', 'x']], {})).to.deep.equal({ colour: ['x'] });
  });

  it('is not judged by rules that involve a field which is refused already, or a job that does not exist', async () => {
    const body = { salary_min: 'x', salary_max: 1 };
    expect(await refuse(body, [['salary_min', 'x']], { salary_min: 5 })).to.deep.equal({ salary_min: ['x'] });
    expect(await refuse({ salary_min: 5, salary_max: 1 }, [['title', 'x']])).to.deep.equal({ title: ['x'] });
  });

  it('is not read if it is too long; HTML then gets advice', async () => {
    const long = `<p style="${'x'.repeat(30_000)}">Obras</p>`;
    const full = { ...ctx, sanitizer: new Sanitizer({ pendingMax: 0 }) };
    const refused = refuseJob(full, { body: long }, [['body', { text: 'is long' }]], 'unknown');
    const advice = '; leave out styles, comments and attributes, which count too, or shorten the text';
    expect(await messagesOf(refused)).to.deep.equal({ body: [`is long${advice}`] });
    for (const [field, text] of [
      ['body', `<p>${'x'.repeat(29_993)}</p>`],
      ['body', 7],
      ['title', long],
    ] as const)
      expect(await refuse({ [field]: text }, [[field, 'x']])).to.deep.equal({ [field]: ['x'] });
  });
});

describe('a create', () => {
  const create = (ctx: ApiContext, key: string, body: object = minimalJob) =>
    createJob(ctx, { header: { 'Idempotency-Key': key }, body } as Input<'createJob'>);
  const secret = `vaga_live_1_${'0a'.repeat(24)}`;

  it('is published at once if its company may; it has an address, and the request log names it, also when replayed', async () => {
    const ctx = await newContext();
    const { status, headers, body } = await create(ctx, 'k');
    const { data } = body as { data: { id: number; status: string } };
    expect([status, data.status, ctx.about.id]).to.deep.equal([201, 'active', data.id]);
    expect(headers).to.include({ Location: `https://vaga.example/v1/jobs/${data.id}` });
    const again = { ...ctx, about: {} as ApiContext['about'] };
    expect((await create(again, 'k')).headers).to.include({ 'Idempotent-Replayed': 'true' });
    expect(again.about.id).to.equal(data.id);
    expect(await refusalOf(create(ctx, 'k', { ...minimalJob, title: 'Pintor' }))).to.deep.include({
      status: 409,
      details: { reason: 'idempotency_key', differing_fields: ['title'], job_id: data.id },
    });
  });

  it('without a posting left is refused with the limit, what is used and the end of the period', async () => {
    const ctx = await newContext(1);
    await create(ctx, 'k');
    const refused = await refusalOf(create(ctx, 'l'));
    expect(refused).to.deep.include({
      status: 403,
      message: 'The posting limit is used up.',
      details: { reason: 'quota', limit: 1, used: 1, period_end: period.end },
    });
    const { entitlement, ...actor } = ctx.actor;
    const none = { ...ctx, actor: { ...actor, entitlement: { ...entitlement, period: null, limit: 0 } } };
    expect((await refusalOf(create(none, 'm'))).details).to.include({ limit: 0, period_end: null });
  });

  it('that breaks the schema is replayed if its key has created a job; without a key or a body it is not looked up, nor is a secret', async () => {
    const ctx = await newContext();
    await create(ctx, 'k');
    await create(ctx, secret);
    const refuse = (key: unknown, body: unknown) =>
      refuseCreateJob(ctx, { header: { 'Idempotency-Key': key }, body }, [['x', { text: 'is wrong' }]]);
    expect((await refuse('k', minimalJob)).status).to.equal(200);
    expect((await refusalOf(refuse('k', 7))).status).to.equal(409);
    for (const [key, body] of [
      ['k', undefined],
      ['k\0', 7],
      [undefined, 7],
      [7, 7],
      [secret, minimalJob],
    ])
      expect(await messagesOf(refuse(key, body)), String(key)).to.deep.equal({ x: ['is wrong'] });
    const rules = { ...minimalJob, salary_min: 2, salary_max: 1 };
    expect(await messagesOf(refuse('l', rules))).to.have.all.keys('x', 'salary_max');
  });
});
