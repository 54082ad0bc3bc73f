import { foldedText } from '../../domain/folded-text.ts';
import { searchedAuditMax } from '../../operations/audit/list-audit.ts';
import { searchedJobsMax, searchedQueueMax } from '../../operations/jobs/search-jobs.ts';
import { type Translate, useT } from '../texts/t.ts';
import { Field, SelectField } from './field.tsx';

const sortLabels = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  changed: 'Latest changes first',
  title: 'By title',
  name: 'By name',
  email: 'By e-mail address',
  expiry: 'Earliest expiry first',
  limit: 'By jobs per month',
  usual: 'Usual order',
};

const searchHints = {
  jobs: 'Part of a title, or an ID. Searches and orders the latest {{limit}} jobs.',
  queue: "Part of a title or of a company's name. Searches the first {{limit}} jobs of the chosen order.",
  companies: 'Part of a name, an ID, or an e-mail address.',
  credentials: 'Part of a label, or the last four characters.',
  people: 'Part of an e-mail address.',
  plans: 'Part of a name.',
  categories: 'Part of a name.',
  requests: 'A whole request ID or trace ID.',
  audit: 'Part of a detail, such as a reason. Searches the first {{limit}} entries of the chosen order.',
};

/** The orders of each list; the first is the default. */
const listSorts = {
  jobs: ['newest', 'oldest', 'changed', 'title'],
  queue: ['oldest', 'newest'],
  companies: ['newest', 'oldest', 'name'],
  credentials: ['newest', 'oldest', 'name', 'expiry'],
  people: ['oldest', 'newest', 'email'],
  plans: ['usual', 'name', 'limit'],
  categories: ['usual', 'name'],
  requests: ['newest', 'oldest'],
  audit: ['newest', 'oldest'],
} as const satisfies Record<ListName, readonly (keyof typeof sortLabels)[]>;

type ListName = keyof typeof searchHints;
export type Sort<L extends ListName> = (typeof listSorts)[L][number];

/** Of these lists a search reads only so much. */
const searchedMax: { readonly [L in ListName]?: number } = {
  jobs: searchedJobsMax,
  queue: searchedQueueMax,
  audit: searchedAuditMax,
};

export interface ListSearch<S extends string> {
  /** Undefined if blank. */
  readonly text: string | undefined;
  readonly sort: S;
  /** The form's fields; empty for what is the default. */
  readonly values: Readonly<Record<string, string>>;
}

/** Reads the search and the order of a list from the query. The names of its parameters may have a prefix. */
export function searchIn<L extends ListName>(query: URLSearchParams, list: L, prefix = ''): ListSearch<Sort<L>> {
  const sorts: readonly Sort<L>[] = listSorts[list];
  const [first] = listSorts[list];
  const text = query.get(`${prefix}text`)?.trim().slice(0, 255) || undefined;
  const sort = sorts.find((one) => one === query.get(`${prefix}sort`)) ?? first;
  const values = { [`${prefix}text`]: text ?? '', [`${prefix}sort`]: sort === first ? '' : sort };
  return { text, sort, values };
}

interface SearchFieldsProps {
  readonly list: ListName;
  readonly prefix?: string;
}

/** The fields that search and order a list. */
export function SearchFields({ list, prefix = '' }: SearchFieldsProps) {
  const t = useT();
  const hint = t(searchHints[list], { limit: searchedMax[list] ?? 0 });
  return (
    <>
      <Field name={`${prefix}text`} label={t('Search')} type="search" hint={hint} />
      <SelectField
        name={`${prefix}sort`}
        label={t('Order')}
        options={listSorts[list].map((sort) => [sort, t(sortLabels[sort])])}
      />
    </>
  );
}

/** Whether a name contains a text, ignoring case and accents. */
export const isMatch = (name: string, text: string): boolean => foldedText(name).includes(foldedText(text));

type Comparisons<T, S extends string> = { readonly [sort in S]?: (one: T, other: T) => number };

/** The items of a short list whose name contains the searched text. An order without a comparison is that of the list. */
export const searched = <T, S extends string>(
  items: readonly T[],
  { text, sort }: Pick<ListSearch<S>, 'text' | 'sort'>,
  nameOf: (item: T) => string,
  comparisons: Comparisons<T, S>,
): T[] =>
  items.filter((item) => text === undefined || isMatch(nameOf(item), text)).toSorted(comparisons[sort] ?? (() => 0));

/** Compares names as the language orders them. */
export const byName =
  <T,>({ locale }: Translate, nameOf: (item: T) => string) =>
  (one: T, other: T): number =>
    nameOf(one).localeCompare(nameOf(other), locale);
