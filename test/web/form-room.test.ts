import { expect } from 'chai';
import { FormRoom } from '../../src/web/form-room.ts';

const mib = 1024 * 1024;

describe('the room for long forms', () => {
  let room: FormRoom;
  let ended: string[];
  beforeEach(() => {
    [room, ended] = [new FormRoom(), []];
  });

  const hold = (name: string, size: number, { of = 'company 1', isAtWork = false } = {}) => {
    const [sender = ''] = name.split(' ');
    const form = { room: of, sender, isAtWork: () => isAtWork, refuse: () => void ended.push(name) };
    room.add(form, size * mib);
    return form;
  };

  it('ends the form that waits longest, of the sender that holds most', () => {
    hold('b first', 3);
    for (const name of ['a first', 'a second', 'a third']) hold(name, 3);
    hold('b second', 3);
    expect(ended).to.deep.equal([]);
    hold('c first', 2);
    expect(ended).to.deep.equal(['a first']);
    expect(room.refused).to.equal(1);
  });

  it('never ends a form at work: if all others are, the one that arrives ends', () => {
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4', 'a 5']) hold(name, 3, { isAtWork: true });
    hold('b', 2);
    expect(ended).to.deep.equal(['b']);
  });

  it('is each company’s own, until the process has none', () => {
    for (let company = 1; company <= 8; company++) hold(`company ${company}`, 16, { of: `company ${company}` });
    expect(ended).to.deep.equal([]);
    hold('late', 1, { of: 'company 9' });
    expect(ended).to.deep.equal(['late']);
  });

  it('is free again once a form has ended', () => {
    const form = hold('a', 16);
    room.remove(form);
    room.remove(form);
    hold('b', 16);
    expect(ended).to.deep.equal([]);
  });
});
