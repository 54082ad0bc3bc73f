import type { Message } from './message.ts';

/**
 * The lists of reference data that a field may name in `x-references`. `operation` lists the ids. `refusals` words what `place_refusals`
 * (prisma/functions.sql) answers about an id of the list. A job has one column for each list, `ofJob`, which the functions that write jobs check.
 */
export const referenceLists = {
  // Section 2.2: an active category whose parent is active.
  categories: {
    operation: 'GET /categories',
    ofJob: 'category_id',
    refusals: {
      category: { text: 'must be the id of an active category with a parent_id' },
      area: { text: 'is a main area', advice: '; send the id of one of its children, which have it as parent_id' },
    },
  },
  districts: {
    operation: 'GET /regions',
    ofJob: 'district_id',
    refusals: { district: { text: 'must be the id of a region' } },
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly operation: string; readonly ofJob: string; readonly refusals: Readonly<Record<string, Message>> }
  >
>;

type Lists = typeof referenceLists;

export type ReferenceList = keyof Lists;

/** Why a field cannot refer to an entry of a list. */
export type ReferenceRefusal = { [List in ReferenceList]: keyof Lists[List]['refusals'] }[ReferenceList];
