import { foldedText } from './folded-text.ts';

/** Longer names are not compared. */
const lengthMax = 64;

/** Returns the known names that a wrong name most likely stands for: the nearest one, and others at the same distance. */
export function nearest(wrong: string, known: Iterable<string>): string[] {
  if (wrong.length > lengthMax) return [];
  const words = wordsOf(wrong);
  const distances = [...known].map((name) => ({ name, distance: distanceOf(words, wordsOf(name)) }));
  const least = Math.min(...distances.map(({ distance }) => distance));
  return least === Number.POSITIVE_INFINITY
    ? []
    : distances.filter(({ distance }) => distance === least).map(({ name }) => name);
}

/** Whether two names differ only in how their words are joined. */
export const isSameName = (a: string, b: string): boolean =>
  Math.max(a.length, b.length) <= lengthMax && wordsOf(a).join('') === wordsOf(b).join('');

/** The words of a name: `salaryMin`, `Salary-Min` and `salary_min` have the same two. Accents do not count. */
const wordsOf = (name: string): string[] =>
  foldedText(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** Returns a distance below one if one name contains all words of the other, and Infinity for names that have nothing in common. */
function distanceOf(wrong: string[], known: string[]): number {
  const [a, b] = [wrong.join(''), known.join('')];
  // Two different numbers are not similar.
  if (!/[a-z]/.test(a) || !/[a-z]/.test(b)) return Number.POSITIVE_INFINITY;
  const isPart = wrong.every((word) => known.includes(word)) || known.every((word) => wrong.includes(word));
  // Whole words count more than letters: list_options stands for list_job_options, not for list_regions.
  if (isPart) return Math.abs(a.length - b.length) / lengthMax;
  const editsMax = Math.min(a.length, b.length) / 3;
  // The distance is at least the difference of the lengths, so most names need no comparison letter by letter.
  const edits = Math.abs(a.length - b.length) > editsMax ? Number.POSITIVE_INFINITY : editsBetween(a, b);
  return edits <= editsMax ? edits : Number.POSITIVE_INFINITY;
}

/** Levenshtein's distance, row by row. */
export function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j] ?? 0) + (a[i] === b[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[b.length] ?? 0;
}
