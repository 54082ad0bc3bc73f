import type { Context } from '../../../context.ts';
import type { ChoicesOf } from '../../kit/declare.ts';
import { findReferenceNames, listCategoryTree, listDistricts } from '../reference-sql.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** The choices' labels are names, shown as they are. */
type NamedChoices = readonly (readonly [value: string, name: string])[];

const named = (rows: readonly Named[]): NamedChoices => rows.map(({ id, name }) => [String(id), name]);

export const mainAreaChoices: ChoicesOf = async ({ db }) => named(await listCategoryTree(db));

/** Returns the names of categories and districts, each with a key such as `category:5`. */
export const referenceNames = async ({ db }: Context, categories: readonly bigint[], districts: readonly bigint[]) =>
  categories.length + districts.length > 0 ? findReferenceNames(db, categories, districts) : [];

interface Area extends Pick<Named, 'name'> {
  readonly children: readonly Named[];
}

const namedIn = ({ name: area, children }: Area): NamedChoices =>
  named(children).map(([id, name]) => [id, `${area}: ${name}`] as const);

/** The names of all reference data, by the contract's name for the list. A stored field may refer to what no longer accepts new references. */
export const referenceTexts = {
  categories: async ({ db }: Context): Promise<NamedChoices> =>
    (await listCategoryTree(db)).flatMap((area) => [...named([area]), ...namedIn(area)]),
  districts: async ({ db }: Context): Promise<NamedChoices> => named(await listDistricts(db)),
};

/** The choices for fields that refer to reference data, by the contract's name for the list. */
export const referenceChoices = {
  /** The categories that accept jobs. */
  categories: async ({ db }) =>
    (await listCategoryTree(db))
      .filter(({ active }) => active)
      .flatMap(({ name, children }) => namedIn({ name, children: children.filter(({ active }) => active) })),
  districts: referenceTexts.districts,
} satisfies Readonly<Record<string, ChoicesOf>>;
