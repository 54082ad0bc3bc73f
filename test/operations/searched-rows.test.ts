import { expect } from 'chai';
import * as fc from 'fast-check';
import { rowCosts, rowsToSearch } from '../../src/operations/kit/searched-rows.ts';

/** Searches rows of these lengths, of which the last is repeated. Returns how many are searched, and the letters in them. */
async function searchIn(text: string | undefined, rows: number, lengths: readonly number[]) {
  const lettersIn = (from: number, to: number) =>
    Array.from(
      { length: Math.max(to - from, 0) },
      (_, at) => lengths[Math.min(from + at, lengths.length - 1)] ?? 0,
    ).reduce((sum, one) => sum + one, 0);
  const read: number[] = [];
  const searched = await rowsToSearch(text, rowCosts.alone, async ({ limit, offset }) => {
    const found = Math.max(Math.min(limit, rows - offset), 0);
    read.push(found);
    return { rows: found, letters: lettersIn(offset, offset + found) };
  });
  return { searched, letters: lettersIn(0, Math.min(searched, rows)), read };
}

describe('the rows that a search reads', () => {
  it('are 50,000 of ordinary titles for a word, and of any for no text', async () => {
    expect((await searchIn('eletricista', 60_000, [45])).searched).to.equal(50_000);
    expect(await searchIn(undefined, 60_000, [255])).to.deep.include({ searched: 50_000, read: [] });
  });

  it('are fewer the longer they are, and the more words are searched for', async () => {
    expect((await searchIn('eletricista de redes', 60_000, [45])).searched).to.equal(25_000);
    expect((await searchIn('eletricista', 60_000, [255])).searched).to.equal(10_000);
    expect((await searchIn('a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh', 60_000, [255])).searched).to.equal(2500);
  });

  it('have a bounded number of letters, wherever the long ones are', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 8 }),
        fc.nat({ max: 60_000 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 510 }), fc.integer({ min: 1, max: 20_000 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (words, rows, spans) => {
          const lengths = spans.flatMap(([length, count]) => Array<number>(count).fill(length));
          const { searched, letters, read } = await searchIn(words.join(' '), rows, lengths);
          if (searched > 2500 && rows > searched) expect(searched * rowCosts.alone + letters).to.be.at.most(10_000_000);
          // What says how many may be read stops soon after.
          expect(read.reduce((sum, one) => sum + one, 0)).to.be.at.most(Math.max(searched * 4, 10_000));
        },
      ),
      { numRuns: 50 },
    ));
});
