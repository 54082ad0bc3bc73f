/** Writes a count with its noun in a language's form: `counted('en', 'job', 'jobs')(12000)` is "12,000 jobs". */
export function counted(locale: string, one: string, several: string): (count: number) => string {
  const format = new Intl.NumberFormat(locale);
  return (count) => `${format.format(count)} ${count === 1 ? one : several}`;
}
