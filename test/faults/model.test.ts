import { expect } from 'chai';
import fc from 'fast-check';
import type { Fields, Seen } from './history.ts';
import { contradictions, isOneOrder } from './model.ts';

const lost = Number.POSITIVE_INFINITY;

type Operation = Seen['operation'];

/** A request from `begin` to `end`, and its outcome. */
const request = (operation: Operation, begin: number, end: number, status: number, more?: Partial<Seen>): Seen => ({
  ...{ begin, end, operation, status, job: 1, sent: {}, shown: {} },
  ...more,
});

const showing = (title: string, etag: string, status = 'active'): Fields => ({ title, etag, status });
const read = (begin: number, end: number, title: string, etag: string) =>
  request('read', begin, end, 200, { shown: showing(title, etag) });
const change = (begin: number, end: number, title: string, etag: string, ifMatch?: string) =>
  request('change', begin, end, 200, { sent: { title }, shown: showing(title, etag), ifMatch });
const unanswered = (begin: number, title: string, ifMatch?: string) =>
  request('change', begin, lost, 0, { sent: { title }, ifMatch });
const refused = (begin: number, end: number, title: string, ifMatch: string, etag: string) =>
  request('change', begin, end, 412, { sent: { title }, shown: { etag }, ifMatch });
const create = (begin: number, end: number, title: string, status: number, job?: number) =>
  request('create', begin, end, status, { key: 'k', sent: { title }, job });

const made = request('create', 0, 1, 201, { key: 'k', sent: { title: 'a' }, shown: showing('a', 'A') });
const found = (...history: Seen[]) => contradictions(history).found;

const withdrawn = request('withdraw', 8, 9, 204, { ifMatch: 'B' });
const inactive = request('read', 10, 11, 200, { shown: showing('b', 'C', 'inactive') });
const again = request('withdraw', 12, 13, 204, { ifMatch: 'A' });
const current = request('read', 14, 15, 304, { shown: { etag: 'C' } });
const ordered = [change(2, 3, 'b', 'B', 'A'), refused(4, 5, 'c', 'A', 'B'), read(6, 7, 'b', 'B')];
const appeared = [unanswered(2, 'b'), read(3, 4, 'b', 'B')];
/** A change that was refused but is read afterwards. */
const shownAfter = (status: number, reason?: string) => [
  change(2, 3, 'b', 'B'),
  status === 412 ? refused(4, 5, 'c', 'A', 'B') : request('change', 4, 5, status, { sent: { title: 'c' }, reason }),
  read(6, 7, 'c', 'C'),
];
const overlapping = [change(2, 9, 'b', 'B'), change(2, 9, 'c', 'C'), read(3, 4, 'c', 'C'), read(5, 6, 'b', 'B')];

/** The findings of each history that follows `made`. */
const histories: readonly (readonly [title: string, found: string | undefined, ...history: Seen[]])[] = [
  [
    'changes, reads and refusals in the order of their answers',
    undefined,
    ...ordered,
    withdrawn,
    inactive,
    again,
    current,
  ],
  ['what overlaps in any order', undefined, ...overlapping],
  ['what overlaps in two orders', 'job 1', change(2, 9, 'b', 'B'), read(3, 4, 'b', 'B'), read(5, 6, 'a', 'A')],
  ['an unanswered change that never happens', undefined, unanswered(2, 'b'), read(3, 4, 'a', 'A')],
  ['one that happens late', undefined, unanswered(2, 'b'), read(3, 4, 'a', 'A'), read(5, 6, 'b', 'B')],
  ['one that a refusal shows', undefined, unanswered(2, 'b'), refused(3, 4, 'c', 'A', 'B'), read(5, 6, 'b', 'B')],
  ['one that appears and disappears', 'job 1', ...appeared, read(5, 6, 'a', 'A')],
  ['one that another change has replaced', 'job 1', ...appeared, change(5, 6, 'c', 'C'), read(7, 8, 'b', 'B')],
  [
    'a replay, and 409 for other JSON',
    undefined,
    create(2, 9, 'a', 200, 1),
    create(0, 9, 'b', 409),
    create(0, lost, 'b', 0),
  ],
  ['a create that replays another job', 'key k', create(2, 3, 'a', 200, 2)],
  ['two jobs for a key', 'key k', create(0, 3, 'a', 201, 2)],
  ['409 for the same JSON', 'key k', create(2, 3, 'a', 409)],
  ['a replay of other JSON', 'key k', create(2, 3, 'b', 200, 1)],
  ['a lost update', 'job 1', change(2, 5, 'b', 'B', 'A'), change(3, 4, 'c', 'C', 'A')],
  ['a read that is older than an acknowledged change', 'job 1', change(2, 3, 'b', 'B'), read(4, 5, 'a', 'A')],
  ['a change that shows after 412', 'job 1', ...shownAfter(412)],
  ['a change that shows after 429', 'job 1', ...shownAfter(429)],
  ['a change that shows after 503 overload', 'job 1', ...shownAfter(503, 'overload')],
  ['a change that shows after 503 database', undefined, ...shownAfter(503, 'database')],
  ['a refusal although nothing has changed', 'job 1', refused(2, 3, 'b', 'A', 'A')],
  ['an ETag that changes although nothing else does', 'job 1', read(2, 3, 'a', 'B')],
  ['a job that is gone', 'job 1', request('read', 2, 3, 404)],
];

const created = (job: number, key: string, status = 201) =>
  request('create', 2, 3, status, { key, sent: { title: key }, job, shown: showing(key, key, 'pending') });
const overQuota = request('create', 2, 5, 403, { key: 'o', sent: { title: 'o' }, job: undefined, reason: 'quota' });
const at = (operation: Operation, time: number, status = 200, more?: Partial<Seen>) =>
  request(operation, time, time + 1, status, more);
const counted = (time: number, used: number) => at('account', time, 200, { shown: { used } });
const shows = (time: number, status: string) => at('found', time, 200, { shown: { title: 'a', status } });

const reviewed = at('change', 2, 200, { sent: { title: 'b' }, shown: showing('b', 'B', 'pending') });

/** Whether the observations of a company after `made` fit one order. The company may have at most two jobs. */
const ofOneCompany: readonly (readonly [title: string, isOneOrder: boolean, ...history: Seen[]])[] = [
  ['creates up to the limit', true, created(2, 'b'), { ...overQuota, begin: 4 }, counted(6, 2)],
  ['a refusal beside the last create', true, created(2, 'b'), overQuota],
  ['a create beyond the limit', false, created(2, 'b'), created(3, 'c')],
  ['a refusal before the limit', false, overQuota],
  ['a posting that is not counted', false, created(2, 'b'), counted(6, 1)],
  ['a reset that removes jobs, keys and their count', true, at('reset', 4), at('read', 6, 404), counted(6, 0)],
  ['a job that a reset leaves', false, at('reset', 4), shows(6, 'active')],
  ['a job that is found and that nobody created', false, at('found', 4, 200, { job: 7 })],
  ['401 after a revocation', true, at('revoke', 2), at('read', 4, 401)],
  ['an answer after a revocation', false, at('revoke', 2), at('read', 4)],
  ['401 without a revocation', false, at('read', 2, 401)],
  ['a change of a public job that is reviewed', true, reviewed, at('approve', 4)],
  ['a change of a public job that stays public', false, change(2, 3, 'b', 'B')],
  ['a change of a public job to what it is', true, change(2, 3, 'a', 'A'), shows(4, 'active')],
  ['a second decision', false, at('withdraw', 2, 204), at('approve', 4)],
  ['a decision that is refused because a job was withdrawn', true, at('withdraw', 2, 204), at('deny', 4, 409)],
  ['an expiry', true, at('expire', 2), shows(4, 'expired')],
];

describe('the check of a history', () => {
  for (const [title, expected, ...history] of histories)
    it(`${expected === undefined ? 'accepts' : 'rejects'} ${title}`, () =>
      expect(found(made, ...history)).to.deep.equal(expected === undefined ? [] : [expected]));

  for (const [title, expected, ...history] of ofOneCompany)
    it(`${expected ? 'accepts' : 'rejects'} ${title}`, () =>
      expect(isOneOrder([made, ...history], { limit: 2, isReviewed: true })).to.equal(expected));

  it('accepts an unanswered create that takes effect later', () => {
    expect(found(create(0, lost, 'b', 0), create(1, 2, 'a', 409), create(3, 4, 'b', 200, 1))).to.deep.equal([]);
  });

  it('accepts every history of a correct register, even if one request in three gets no answer', () => {
    const client = fc.record({
      kind: fc.constantFrom('read', 'change', 'conditional', 'lost', 'lost before'),
      before: fc.nat(40),
      after: fc.nat(40),
    });
    fc.assert(
      fc.property(fc.array(client, { maxLength: 50 }), (clients) => {
        let state = { title: 'a', etag: 'A' };
        let known = 'A';
        const history = clients.map(({ kind, before, after }, turn) => {
          const [begin, end, title] = [turn * 10 + 5 - before, turn * 10 + 5 + after, `t${turn}`];
          if (kind === 'read') {
            known = state.etag;
            return read(begin, end, state.title, state.etag);
          }
          if (kind === 'lost before') return unanswered(begin, title);
          if (kind === 'conditional' && known !== state.etag) return refused(begin, end, title, known, state.etag);
          state = { title, etag: `E${turn}` };
          if (kind === 'lost') return unanswered(begin, title);
          return change(begin, end, title, state.etag, kind === 'conditional' ? known : undefined);
        });
        return found(read(-1000, -999, 'a', 'A'), ...history).length === 0;
      }),
    );
  });
});
