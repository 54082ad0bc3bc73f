import type { Context } from '../../../context.ts';
import type { Choices, ChoicesOf } from '../../kit/declare.ts';
import { findReferenceNames, listCategoryTree, listDistricts } from '../reference-sql.ts';

const named = (rows: readonly { readonly id: number; readonly name: string }[]): Choices =>
  rows.map(({ id, name }) => [String(id), name]);

export const mainAreaChoices: ChoicesOf = async ({ db }) => named(await listCategoryTree(db));

/** Returns the names of categories and districts, each with a key such as `category:5`. */
export const referenceNames = async ({ db }: Context, categories: readonly bigint[], districts: readonly bigint[]) =>
  categories.length + districts.length > 0 ? findReferenceNames(db, categories, districts) : [];

/** The choices for fields that refer to reference data, by the contract's name for the list. */
export const referenceChoices = {
  /** The categories that accept jobs. */
  categories: async ({ db }) =>
    (await listCategoryTree(db))
      .filter(({ active }) => active)
      .flatMap(({ name: area, children }) =>
        named(children.filter(({ active }) => active)).map(([id, name]) => [id, `${area}: ${name}`] as const),
      ),
  districts: async ({ db }) => named(await listDistricts(db)),
} satisfies Readonly<Record<string, ChoicesOf>>;
