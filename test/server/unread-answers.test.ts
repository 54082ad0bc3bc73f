import { setImmediate as immediately } from 'node:timers/promises';
import { expect } from 'chai';
import { rowsAtOnce } from '../../src/operations/kit/declare.ts';
import { Lifetime } from '../../src/server/request-context.ts';
import { fileCharacters, UnreadAnswers } from '../../src/server/unread-answers.ts';
import { longestFormBytes } from '../helper/longest-form.ts';

/** The files that are open now, by name, and a way to open further ones. */
function newFiles() {
  const unread = new UnreadAnswers();
  const lifetimes = new Map<string, Lifetime>();
  const begun: string[] = [];
  const openFile = (person: string, companyId?: bigint): void => {
    const [name, lifetime] = [`${person}.${lifetimes.size}`, new Lifetime()];
    lifetimes.set(name, lifetime);
    void (unread.holdFile(person, companyId, lifetime) ?? Promise.resolve()).then(() => begun.push(name));
  };
  const close = (name: string): void => lifetimes.get(name)?.end(200);
  const closeAll = (): void => {
    for (const lifetime of lifetimes.values()) lifetime.end(200);
  };
  return { unread, begun, openFile, close, closeAll };
}

const openMany = (count: number, openOne: (n: number) => void): void => {
  for (let n = 0; n < count; n++) openOne(n);
};

describe('open files', () => {
  it('are two for each person, eight for each company and 64 in all; the next waits for the end of one', async () => {
    const { begun, openFile, close, closeAll } = newFiles();
    openMany(3, () => openFile('ana', 1n));
    await immediately();
    expect(begun).to.deep.equal(['ana.0', 'ana.1']);
    close('ana.0');
    await immediately();
    expect(begun.splice(0)).to.deep.equal(['ana.0', 'ana.1', 'ana.2']);
    openMany(7, (n) => openFile(`colleague ${n}`, 1n));
    await immediately();
    expect(begun.splice(0), 'of one company').to.have.length(6);
    openMany(10, (n) => openFile(`administrator ${n}`));
    openMany(60, (n) => openFile(`customer ${n}`, BigInt(n + 2)));
    await immediately();
    expect(begun.splice(0), 'of all').to.have.length(64 - 8);
    closeAll();
  });

  it('do not delay the long answers of their company', async () => {
    const { unread, openFile, closeAll } = newFiles();
    openMany(9, (n) => openFile(`person ${n}`, 1n));
    await immediately();
    expect(unread.hold(1n, 1_000_000, new Lifetime())).to.equal(undefined);
    closeAll();
  });

  it('have room for the longest rows of the contract that are held, and for one that is sent', () => {
    // A form has up to 20 bytes for each character. In a file, at most one more is before it.
    const rowMax = longestFormBytes / 20;
    expect(rowMax * (rowsAtOnce.resources + 2)).to.be.at.most(fileCharacters);
  });
});
