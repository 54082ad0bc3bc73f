import { expect } from 'chai';
import { ApiError } from '../../src/domain/errors.ts';
import { changesOf, changesTo, storedValues } from '../../src/domain/field-rules.ts';
import { etagOfJob } from '../../src/domain/job-version.ts';
import * as jobs from '../../src/operations/jobs/job.ts';
import { jobStatuses, statusAfterPatch } from '../../src/operations/jobs/transitions.ts';
import { differingFields, fieldHashes } from '../../src/operations/kit/api/fingerprint.ts';
import { isConditional } from '../../src/operations/kit/api/if-match.ts';
import { fullJob } from '../helper/sample-jobs.ts';

const today = '2026-11-26';
const stored = {
  ...fullJob(),
  id: 5,
  is_anonymous: false,
  status: 'active',
  valid_until: today,
  salary_min: '1200.50',
  salary_max: '1500.00',
  created_at: '2026-03-01 10:20:30',
  updated_at: '2026-03-01 10:20:30.5',
  // Through `object`: an edited contract may have fields that the sample lacks, or has in another form.
} as object as jobs.StoredJob;

describe('a job as it is shown', () => {
  const shown = (fields: Partial<jobs.StoredJob>) => jobs.presentJob({ ...stored, ...fields }, 'Vaga', today);

  it('is active until the end of its last day, then expired; other statuses stay', () => {
    for (const [status, valid_until, expected] of [
      ['active', today, 'active'],
      ['active', null, 'active'],
      ['active', '2026-11-25', 'expired'],
      ['pending', '2026-11-25', 'pending'],
      ['inactive', '2026-11-25', 'inactive'],
      ['denied', '2026-11-25', 'denied'],
    ] as const) {
      const job = shown({ status, valid_until });
      expect(job, `${status} ${valid_until}`).to.include({ status: expected, is_active: expected === 'active' });
      const version = jobs.storedVersion({ ...stored, status, valid_until }, today);
      expect(version).to.equal(`2026-03-01T10:20:30.500Z/${expected}`);
    }
  });

  it('has instants with three decimals and the zone', () => {
    for (const [utc, instant] of [
      ['2026-03-01 10:20:30', '2026-03-01T10:20:30.000Z'],
      ['2026-03-01 10:20:30.07', '2026-03-01T10:20:30.070Z'],
      ['2026-03-01 10:20:30.123456', '2026-03-01T10:20:30.123Z'],
    ] as const)
      expect(shown({ created_at: utc, updated_at: utc })).to.include({ created_at: instant, updated_at: instant });
  });

  it('names its company unless it is anonymous', () => {
    expect([shown({}).company_name, shown({ is_anonymous: true }).company_name]).to.deep.equal(['Vaga', null]);
  });
});

describe('what a change changes', () => {
  it('is nothing if the values are equal in JSON: -0 is 0, and names have no order', () => {
    const [from, to] = [
      { area: 0, parts: [{ seats: 0, label: null }], none: null, text: '0', list: [] },
      { area: -0, parts: [{ label: null, seats: -0 }], none: null, text: '0', list: [] },
    ];
    expect(changesTo(from, to)).to.deep.equal({});
    const others = { area: '0', parts: { 0: to.parts[0] }, none: undefined, text: 0, list: {} };
    expect(Object.keys(changesTo(from, others))).to.deep.equal(Object.keys(from));
    for (const parts of [[], [{ seats: 0 }], [{ seats: 0, label: null, tags: [] }], [{ seats: 0, other: null }]])
      expect(changesTo(from, { parts }), JSON.stringify(parts)).to.deep.equal({ parts });
  });

  it('are the fields that differ by value; a decimal is stored as text', () => {
    const { title, ...same } = fullJob();
    const { valid_until, ...equal } = { ...same, salary_min: 1200.5, education_details: ['12.º ano'] };
    expect(changesOf(jobs.jobRules, stored, equal)).to.deep.equal({});
    const changed = { title: 'Pintor', salary_min: 1200, education_details: ['12.º ano', 'x'], contact_phone: null };
    expect(changesOf(jobs.jobRules, stored, { ...equal, ...changed })).to.deep.equal(changed);
    expect(changesOf(jobs.jobRules, { ...stored, experience_years: 0 }, { experience_years: -0 })).to.deep.equal({});
  });

  it('is nothing if a decimal is stored as before', () => {
    const isChangedBy = (salary_min: string | null, sent: number | null) =>
      Object.keys(
        changesOf(jobs.jobRules, { ...stored, salary_min }, storedValues(jobs.jobRules, { salary_min: sent })),
      ).includes('salary_min');
    expect(isChangedBy('1200.50', 1200.500000001)).to.equal(false);
    expect(isChangedBy('1200.50', 1200.51)).to.equal(true);
    expect(isChangedBy(null, null)).to.equal(false);
    expect(isChangedBy(null, 0)).to.equal(true);
    expect(isChangedBy('0.00', -1e-9)).to.equal(false);
  });

  it('sends a job back to review if it was reviewed, unless its company publishes without', () => {
    const patched = (autoPublish: boolean) =>
      jobStatuses.map((status) => `${status} ${statusAfterPatch(status, autoPublish)}`);
    const others = ['inactive inactive', 'expired expired', 'denied pending'];
    expect(patched(false)).to.deep.equal(['pending pending', 'active pending', ...others]);
    expect(patched(true)).to.deep.equal(['pending pending', 'active active', ...others]);
  });
});

describe('If-Match', () => {
  const job = jobs.presentJob(stored, 'Vaga', today);
  const ctx = { actor: { companyName: 'Vaga' }, today } as Parameters<typeof jobs.jobAnswer>[0];
  const tag = '"5/2026-03-01T10:20:30.500Z/active/Vaga"';

  it('allows the version of the ETag, one of several, any, or none', () => {
    expect(jobs.jobAnswer(ctx, stored, undefined)).to.deep.equal({ headers: { ETag: tag }, body: { data: job } });
    for (const ifMatch of [undefined, '*', tag, `"x", ${tag}`, `${tag},"x"`])
      jobs.assertUnchanged(ifMatch, job, undefined);
    for (const ifMatch of [undefined, '*']) expect(isConditional(ifMatch)).to.equal(false);
    for (const ifMatch of [tag, '', 'x']) expect(isConditional(ifMatch)).to.equal(true);
  });

  it('refuses another version, a weak tag and no tag with 412, which has the current tag', () => {
    const other = 'since the version in If-Match; read it again.';
    const notOurs = 'If-Match is not an ETag of this service';
    for (const [ifMatch, said] of [
      [tag.replace('active', 'expired'), other],
      ...[`W/${tag}`, '"x"', '""', 'x', '', tag.slice(1), `${tag.slice(0, -1)} "`].map(
        (one) => [one, notOurs] as const,
      ),
    ] as const)
      expect(() => jobs.assertUnchanged(ifMatch, job, undefined), ifMatch)
        .to.throw(ApiError, said)
        .that.deep.includes({
          status: 412,
          code: 'changed',
          details: { reason: 'changed', current_etag: tag },
          headers: { ETag: tag },
        });
  });

  it('tells an earlier version from a tag that a compressing proxy has changed, also if the company’s name ends in -gzip', () => {
    for (const company_name of ['Vaga', 'Vaga-gzip', 'Ler-br', '-zstd', null]) {
      const named = { ...job, company_name };
      const [current, older] = [etagOfJob(named), etagOfJob({ ...named, status: 'expired' })];
      jobs.assertUnchanged(current, named, undefined);
      const refused = (ifMatch: string, text: string) =>
        expect(() => jobs.assertUnchanged(ifMatch, named, undefined), `${company_name} ${ifMatch}`).to.throw(
          ApiError,
          text,
        );
      refused(older, 'The job has changed');
      for (const one of [current, older])
        for (const sent of [`W/${one}`, ...['gzip', 'br', 'zstd'].map((coding) => `${one.slice(0, -1)}-${coding}"`)])
          refused(sent, 'is not an ETag of this service; W/ or an ending such as -gzip comes from a proxy');
    }
  });
});

it('an id beyond the safe integers is that of no job', () => {
  expect(jobs.jobId(Number.MAX_SAFE_INTEGER)).to.equal(2n ** 53n - 1n);
  expect(() => jobs.jobId(2 ** 53))
    .to.throw(ApiError)
    .that.includes({ status: 404, code: 'job' });
});

describe('the JSON of an idempotency key', () => {
  it('differs in the fields of which any value differs or is missing, in their order; names have no order', () => {
    const hashes = fieldHashes({ c: 1, b: [1, 2], a: 'x' });
    expect(differingFields(fieldHashes({ a: { x: 1, y: [{ u: 2, v: 3 }] } }), { a: { y: [{ v: 3, u: 2 }], x: 1 } })).to
      .be.empty;
    for (const [sent, ...fields] of [
      [{ c: 1, b: [2, 1], a: 'x' }, 'b'],
      [{ c: '1', b: [1, 2], a: 'X' }, 'a', 'c'],
      [{ c: 1, b: [1, 2] }, 'a'],
      [{ c: 1, b: [1, 2], a: 'x', d: null }, 'd'],
      [{ c: 1, b: [1, 2], a: 'x', toString: 'x' }, 'toString'],
      [{ c: Number.POSITIVE_INFINITY, b: [1, 2], a: 'x' }, 'c'],
      ...[[], null, 'x', undefined].map((other) => [other, 'a', 'b', 'c'] as const),
    ] as const)
      expect(differingFields(hashes, sent), JSON.stringify(sent)).to.deep.equal(fields);
    expect(differingFields({}, ['x'])).to.deep.equal([]);
  });

  it('is not walked under names that no create has had', () => {
    const unread = { toJSON: () => expect.fail('was read') };
    expect(differingFields(fieldHashes({ a: 'x' }), { a: 'x', b: unread })).to.deep.equal(['b']);
  });
});
