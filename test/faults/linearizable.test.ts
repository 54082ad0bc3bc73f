import { expect } from 'chai';
import fc from 'fast-check';
import type { Fields, Seen } from './history.ts';
import { contradictions } from './linearizable.ts';

const lost = Number.POSITIVE_INFINITY;

/** A request from `begin` to `end`, and what came of it. */
function request(
  operation: Seen['operation'],
  begin: number,
  end: number,
  status: number,
  more: Partial<Seen> = {},
): Seen {
  const rest = { path: '', key: undefined, ifMatch: undefined, reason: undefined, retryAfter: undefined };
  return { ...rest, begin, end, operation, status, job: 1, sent: {}, shown: {}, ...more };
}

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

describe('the check of a history', () => {
  it('accepts changes, reads and refusals in the order of their answers', () => {
    const withdrawn = request('withdraw', 8, 9, 204, { ifMatch: 'B' });
    const inactive = request('read', 10, 11, 200, { shown: showing('b', 'C', 'inactive') });
    const again = request('withdraw', 12, 13, 204, { ifMatch: 'A' });
    const current = request('read', 14, 15, 304, { shown: { etag: 'C' } });
    const history = [change(2, 3, 'b', 'B', 'A'), refused(4, 5, 'c', 'A', 'B'), read(6, 7, 'b', 'B')];
    expect(found(made, ...history, withdrawn, inactive, again, current)).to.deep.equal([]);
  });

  it('accepts what overlaps in any order, but in one only', () => {
    const history = [change(2, 9, 'b', 'B'), change(2, 9, 'c', 'C'), read(3, 4, 'c', 'C'), read(5, 6, 'b', 'B')];
    expect(found(made, ...history)).to.deep.equal([]);
    expect(found(made, change(2, 9, 'b', 'B'), read(3, 4, 'b', 'B'), read(5, 6, 'a', 'A'))).to.deep.equal(['job 1']);
  });

  it('accepts an unanswered change that never happens, or long after its client gave up', () => {
    expect(found(made, unanswered(2, 'b'), read(3, 4, 'a', 'A'))).to.deep.equal([]);
    expect(found(made, unanswered(2, 'b'), read(3, 4, 'a', 'A'), read(5, 6, 'b', 'B'))).to.deep.equal([]);
    expect(found(made, unanswered(2, 'b'), refused(3, 4, 'c', 'A', 'B'), read(5, 6, 'b', 'B'))).to.deep.equal([]);
  });

  it('accepts one job for a key, its replays, and 409 for other JSON', () => {
    const others = [create(2, 9, 'a', 200, 1), create(0, 9, 'b', 409), create(0, lost, 'b', 0)];
    expect(found(made, ...others)).to.deep.equal([]);
    expect(found(create(0, lost, 'b', 0), create(1, 2, 'a', 409), create(3, 4, 'b', 200, 1))).to.deep.equal([]);
  });

  it('rejects a lost update', () => {
    expect(found(made, change(2, 5, 'b', 'B', 'A'), change(3, 4, 'c', 'C', 'A'))).to.deep.equal(['job 1']);
  });

  it('rejects a read that is older than an acknowledged change', () => {
    expect(found(made, change(2, 3, 'b', 'B'), read(4, 5, 'a', 'A'))).to.deep.equal(['job 1']);
  });

  it('rejects a create that replays another job, two jobs for a key, and 409 for the same JSON', () => {
    expect(found(made, create(2, 3, 'a', 200, 2))).to.deep.equal(['key k']);
    expect(found(made, create(0, 3, 'a', 201, 2))).to.deep.equal(['key k']);
    expect(found(made, create(2, 3, 'a', 409))).to.deep.equal(['key k']);
    expect(found(made, create(2, 3, 'b', 200, 1))).to.deep.equal(['key k']);
  });

  it('rejects a change that shows although it was refused', () => {
    const sent = { sent: { title: 'c' } };
    const refusals = [
      refused(4, 5, 'c', 'A', 'B'),
      request('change', 4, 5, 429, sent),
      request('change', 4, 5, 503, { ...sent, reason: 'overload' }),
    ];
    for (const refusal of refusals)
      expect(found(made, change(2, 3, 'b', 'B'), refusal, read(6, 7, 'c', 'C'))).to.deep.equal(['job 1']);
    const uncertain = request('change', 4, 5, 503, { ...sent, reason: 'database' });
    expect(found(made, change(2, 3, 'b', 'B'), uncertain, read(6, 7, 'c', 'C'))).to.deep.equal([]);
  });

  it('rejects a refusal although nothing has changed', () => {
    expect(found(made, refused(2, 3, 'b', 'A', 'A'))).to.deep.equal(['job 1']);
  });

  it('rejects an unanswered change that appears and disappears', () => {
    const appeared = [unanswered(2, 'b'), read(3, 4, 'b', 'B')];
    expect(found(made, ...appeared, read(5, 6, 'a', 'A'))).to.deep.equal(['job 1']);
    expect(found(made, ...appeared, change(5, 6, 'c', 'C'), read(7, 8, 'b', 'B'))).to.deep.equal(['job 1']);
  });

  it('rejects an ETag that changes although nothing else does, and a job that is gone', () => {
    expect(found(made, read(2, 3, 'a', 'B'))).to.deep.equal(['job 1']);
    expect(found(made, request('read', 2, 3, 404))).to.deep.equal(['job 1']);
  });

  it('accepts whatever a register does, also where one request in three gets no answer', () => {
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
