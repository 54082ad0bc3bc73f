/** A text without case and accents, as `contains` in operations/search-sql.ts folds a column. */
export const foldedText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
