/** A text without case and accents. `contains` in operations/clauses-sql.ts folds columns in the same way. */
export const foldedText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
