/** A text without case and accents. `folded` in operations/clauses-sql.ts folds columns in the same way. A final sigma is a sigma. */
export const foldedText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');
