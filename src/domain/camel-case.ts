/** A name in code: `work_place` and `work-place` are workPlace. The columns of stored fields are named by it, and found by it. */
export const camelCase = (name: string): string =>
  name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
