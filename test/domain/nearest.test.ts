import { expect } from 'chai';
import { editsBetween, isSameName, nearest } from '../../src/domain/nearest.ts';

describe('nearest', () => {
  it('is the known name that differs by the fewest letters, or several at the same distance', () => {
    const known = ['title', 'body', 'salary_min', 'salary_max', 'list_regions', 'list_job_options'];
    for (const [wrong, ...meant] of [
      ['tittle', 'title'],
      ['bodi', 'body'],
      ['Salary-Min', 'salary_min'],
      ['salaryMax', 'salary_max'],
      ['sálary_mín', 'salary_min'],
      ['salary_mix', 'salary_min', 'salary_max'],
      // Whole words count more than letters.
      ['list_options', 'list_job_options'],
      ['min', 'salary_min'],
      ['minSalary', 'salary_min'],
      ['_min_', 'salary_min'],
      ['the_title_of_a_job', 'title'],
      ['salary', 'salary_min', 'salary_max'],
    ] as const)
      expect(nearest(wrong, known), wrong).to.deep.equal(meant);
    expect(nearest('salary_min_value', ['min', 'salary_min'])).to.deep.equal(['salary_min']);
  });

  it('is none if more than a third of the shorter name differs', () => {
    expect(nearest('abcxyz', ['abcdef'])).to.deep.equal([]);
    expect(nearest('abcdxy', ['abcdef'])).to.deep.equal(['abcdef']);
    expect(nearest('abcdefghi', ['abcdef'])).to.deep.equal([]);
    expect(nearest('abcdefgh', ['abcdef'])).to.deep.equal(['abcdef']);
    for (const known of [[], ['title']]) expect(nearest('nothing_like_it', known)).to.deep.equal([]);
  });

  it('two numbers are not similar, nor names of more than 64 letters', () => {
    for (const [wrong, known] of [
      ['1234', '1235'],
      ['', 'x'],
      ['123', 'id_123'],
      ['id_123', '123'],
      ['x'.repeat(65), 'x'.repeat(64)],
    ] as const)
      expect(nearest(wrong, [known]), wrong).to.deep.equal([]);
    expect(nearest(`${'x'.repeat(63)}y`, ['x'.repeat(64)])).to.have.length(1);
  });
});

it('isSameName ignores case and how words are joined', () => {
  for (const other of ['salaryMin', 'Salary-Min', 'SALARY MIN', 'salarymin', '_salary__min_'])
    expect(isSameName('salary_min', other), other).to.equal(true);
  for (const other of ['salary_max', 'min_salary', 'salary', ''])
    expect(isSameName('salary_min', other)).to.equal(false);
});

it('editsBetween counts letters that are inserted, left out or replaced', () => {
  for (const [a, b, edits] of [
    ['', '', 0],
    ['abc', '', 3],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['abcdef', 'bcdefg', 2],
    ['ab', 'ba', 2],
    ['flaw', 'lawn', 2],
  ] as const)
    expect(editsBetween(a, b), `${a} ${b}`).to.equal(edits);
});
