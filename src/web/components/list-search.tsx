import { searchedJobsMax, searchedQueueMax } from '../../operations/jobs/search-jobs.ts';
import { useT } from '../texts/t.ts';
import { Field, SelectField } from './field.tsx';

const sortLabels = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  changed: 'Latest changes first',
  title: 'By title',
  name: 'By name',
};

const searchHints = {
  jobs: 'Part of a title, or an ID. Searches and orders the latest {{limit}} jobs.',
  queue: "Part of a title or of a company's name. Searches the first {{limit}} jobs of the chosen order.",
  companies: 'Part of a name, an ID, or an e-mail address.',
  requests: 'A whole request ID or trace ID.',
  audit: 'Part of a detail, such as a reason.',
};

/** The orders of each list; the first is the default. */
const listSorts = {
  jobs: ['newest', 'oldest', 'changed', 'title'],
  queue: ['oldest', 'newest'],
  companies: ['newest', 'oldest', 'name'],
  requests: ['newest', 'oldest'],
  audit: ['newest', 'oldest'],
} as const satisfies Record<ListName, readonly (keyof typeof sortLabels)[]>;

type ListName = keyof typeof searchHints;
type Sort<L extends ListName> = (typeof listSorts)[L][number];

/** Of these lists a search reads only so much. */
const searchedMax: { readonly [L in ListName]?: number } = {
  jobs: searchedJobsMax,
  queue: searchedQueueMax,
};

/** Reads the search and the order of a list from the query; `values` are the form's fields, empty for what is the default. */
export function searchIn<L extends ListName>(query: URLSearchParams, list: L) {
  const sorts: readonly Sort<L>[] = listSorts[list];
  const [first] = listSorts[list];
  const text = query.get('text')?.trim().slice(0, 255) || undefined;
  const sort = sorts.find((one) => one === query.get('sort')) ?? first;
  return { text, sort, values: { text: text ?? '', sort: sort === first ? '' : sort } };
}

/** The fields that search and order a list. */
export function SearchFields({ list }: { readonly list: ListName }) {
  const t = useT();
  const hint = t(searchHints[list], { limit: searchedMax[list] ?? 0 });
  return (
    <>
      <Field name="text" label={t('Search')} type="search" hint={hint} />
      <SelectField
        name="sort"
        label={t('Order')}
        options={listSorts[list].map((sort) => [sort, t(sortLabels[sort])])}
      />
    </>
  );
}
