import { searchedJobsMax } from '../../operations/jobs/search-jobs.ts';
import { type Options, optionIn } from '../params.ts';
import { type Texts, useTexts } from '../texts/texts.ts';
import { Field, SelectField } from './field.tsx';

const sortsOf = <T extends keyof Texts['lists']['sorts']>({ lists }: Texts, sorts: readonly T[]): Options<T> =>
  sorts.map((sort) => [sort, lists.sorts[sort]]);

const jobSorts = ['newest', 'oldest', 'changed', 'title'] as const;
const queueSorts = ['oldest', 'newest'] as const;
const companySorts = ['newest', 'oldest', 'name'] as const;

/** The orders of each list; the first is the default. */
const listSorts = { jobs: jobSorts, queue: queueSorts, companies: companySorts };

type Sorts = typeof listSorts;

/** Reads the order of a list from the query. */
export function sortIn<L extends keyof Sorts>(query: URLSearchParams, texts: Texts, list: L): Sorts[L][number] {
  const sorts: readonly Sorts[L][number][] = listSorts[list];
  const [first] = listSorts[list];
  return optionIn(query, 'sort', sortsOf(texts, sorts)) ?? first;
}

export const SortField = ({ list }: { readonly list: keyof Sorts }) => {
  const texts = useTexts();
  return <SelectField name="sort" label={texts.lists.sort} options={sortsOf(texts, listSorts[list])} />;
};

/** A searched text; undefined if blank. */
export const searchIn = (query: URLSearchParams): string | undefined =>
  query.get('text')?.trim().slice(0, 255) || undefined;

/** Whether a name contains a text, ignoring case and accents. */
export const isMatch = (name: string, text: string): boolean => folded(name).includes(folded(text));

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The fields that search and order a company's jobs. */
export function JobSearchFields() {
  const { lists, companyJobs, locale } = useTexts();
  return (
    <>
      <Field
        name="text"
        label={lists.search}
        type="search"
        hint={companyJobs.searchHint(searchedJobsMax.toLocaleString(locale))}
      />
      <SortField list="jobs" />
    </>
  );
}
