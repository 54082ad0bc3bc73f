type Fields = Readonly<Record<string, unknown>>;

/** A job without what no two servers can have alike. */
export const withoutIdentity = (job: Fields | undefined): Fields | undefined =>
  job && { ...job, id: 0, created_at: '', updated_at: '' };

/** A token that nobody has, as like a real one as can be. */
export const otherToken = (token: string): string => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
