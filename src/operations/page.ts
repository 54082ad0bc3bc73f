/** Items on one page of a list. */
export const perPage = 25;

export interface Listed<T> {
  readonly items: readonly T[];
  /** From 1. */
  readonly page: number;
  readonly lastPage: number;
  readonly total: number;
}

/** One page of a list; a page past the last is empty. */
export const listed = <T>(items: readonly T[], page: number, total: number): Listed<T> => ({
  items,
  page,
  lastPage: Math.max(Math.ceil(total / perPage), 1),
  total,
});
