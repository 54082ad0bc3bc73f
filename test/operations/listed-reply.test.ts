import { expect } from 'chai';
import { listedReply } from '../../src/operations/kit/api/listed-reply.ts';
import { times } from '../helper/times.ts';

const long = 'x'.repeat(500);
const meta = { total: 100 };

describe('the reply with a page of rows', () => {
  const rowsOf = (row: object) => times(100, (id) => ({ id, ...row }));

  for (const [where, row, characters] of [
    ['in a text', { text: 'x'.repeat(25_000) }, 2_500_000],
    ['in a list', { text: '', items: times(50, () => long) }, 2_500_000],
    ['in a list of objects', { parts: times(50, () => ({ label: long, inner: { note: null } })) }, 2_500_000],
  ] as const)
    it(`is made while it is sent if its rows are long, and counts their characters: ${where}`, () => {
      const rows = rowsOf(row);
      let made = 0;
      const { body, pieces } = listedReply(rows, meta, (one) => {
        made += 1;
        return one;
      });
      expect([body, pieces?.length, made]).to.deep.equal([undefined, characters, 0]);
      const sent = [...(pieces ?? [])];
      expect(sent.length).to.equal(101);
      expect(JSON.parse(sent.join(''))).to.deep.equal({ data: rows, meta });
    });

  it('is held if its rows are short', () => {
    const rows = rowsOf({ text: 'x', items: [long] });
    expect(listedReply(rows, meta, (row) => row)).to.deep.equal({ status: 200, body: { data: rows, meta } });
  });
});
