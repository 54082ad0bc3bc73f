import * as z from 'zod';
import { companiesOf, findAccounts, namedMax } from '../../../auth/accounts-sql.ts';
import type { Context } from '../../../context.ts';
import type { Environment } from '../../../domain/environment.ts';
import { listCompanies } from '../../companies/people/list-companies.ts';
import { findJobs } from '../../jobs/people/search-jobs.ts';
import { searchedId } from '../../kit/clauses-sql.ts';
import { declareList, type ListedPage } from '../../kit/declare.ts';
import { searchText } from '../../kit/fields.ts';
import { searchRequests } from '../../requests/people/list-requests.ts';
import { administratorAt } from '../../users/people/list-users.ts';

export const foundLabels = {
  company: 'Company',
  job: 'Job',
  request: 'Request',
  person: 'Person',
  administrator: 'Administrator',
};

const nothing = { companyId: null, companyName: null, environment: null, jobId: null, requestId: null, page: null };

type Is<Kind, Known> = { readonly kind: Kind; readonly name: string } & Readonly<Known> &
  Readonly<Omit<typeof nothing, keyof Known>>;

interface OfCompany {
  companyId: bigint;
  companyName: string;
}

/**
 * `name` is a company's name, a job's title, a request's operation (or its id), or a person's e-mail address. `page` is the page of the list
 * of administrators that shows the account.
 */
export type Found =
  | Is<'company' | 'person', OfCompany>
  | Is<'job', OfCompany & { environment: Environment; jobId: bigint }>
  | Is<'request', OfCompany & { environment: Environment; requestId: string }>
  | Is<'administrator', { page: number }>;

/** What a text names: at most `shownMax` companies, jobs and requests each. People are limited by `namedMax`. */
interface Findings extends Pick<ListedPage, 'near' | 'searched' | 'searchedFrom'> {
  readonly found: readonly Found[];
  /** The total number of matches. Defaults to the length of `found`. */
  readonly total?: number;
  /** The kinds with more matches than `found` includes. */
  readonly more?: readonly ('company' | 'job' | 'request')[];
}

const shownMax = 5;

/**
 * Finds what a text names: a request by its request id or trace id, people by their e-mail address, a company or job by its id, or companies
 * and jobs by words of a name or title. If an id or address matches, does not list matches by words. If nothing is found, `near` has the
 * five companies with the most similar names.
 */
export const find = declareList({
  acrossCompanies: true,
  command: 'find',
  title: 'Find a company, job, request or person',
  by: ['operator', 'administrator'],
  input: z.object({
    text: searchText().optional().meta({
      hint: "Words of a company's name or of a title, the ID of a company, job or request, or an e-mail address.",
    }),
  }),
  items: 'found',
  columns: {
    name: 'Name',
    kind: 'Kind',
    companyId: 'Company ID',
    companyName: 'Company',
    environment: 'Environment',
    jobId: 'Job',
    requestId: 'Request ID',
    page: 'Page',
  },
  read: async (ctx, { text }) => {
    const { found, total, more = [], ...rest } = text === undefined ? { found: [] } : await findingsOf(ctx, text);
    return { ...rest, items: found, page: 1, lastPage: 1, total: total ?? found.length, more };
  },
});

async function findingsOf(ctx: Context, text: string): Promise<Findings> {
  if (requestOrTraceId.test(text)) return requestsWith(ctx, text.toLowerCase());
  const people = await peopleAt(ctx, text);
  return people.found.length > 0 ? people : companiesAndJobs(ctx, text);
}

const requestOrTraceId = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32})$/i;

async function requestsWith(ctx: Context, text: string): Promise<Findings> {
  const { items } = await searchRequests(ctx, { text });
  // The tool calls of a batch each have an entry, all with the same request id.
  const requests = [...new Map(items.map((entry) => [entry.requestId, entry])).values()];
  return {
    found: requests.slice(0, shownMax).map(({ operation, companyId, companyName, environment, requestId }) => ({
      ...{ ...nothing, kind: 'request', name: operation ?? requestId, companyId, companyName, environment, requestId },
    })),
    total: requests.length,
    more: requests.length > shownMax ? ['request'] : [],
  };
}

/** Finds the accounts with an e-mail address: an administrator's, and those in companies (at most the `namedMax` oldest). */
async function peopleAt(ctx: Context, text: string): Promise<Findings> {
  const accounts = await findAccounts(ctx.db, 'company', text);
  const people = await companiesOf(ctx.db, accounts);
  const administrator = await administratorAt(ctx, text);
  const found: Found[] = [
    ...people.map(({ company, account }) => ({
      ...foundCompany(company),
      kind: 'person' as const,
      name: account.email,
    })),
    ...(administrator ? [{ ...nothing, kind: 'administrator' as const, ...administrator }] : []),
  ];
  return { found, ...(accounts.length > namedMax && { searched: namedMax, searchedFrom: 'oldest' }) };
}

async function companiesAndJobs(ctx: Context, text: string): Promise<Findings> {
  const companies = await listCompanies(ctx, { text, sort: 'name' });
  // A found company leads the reader to its jobs. Jobs are therefore searched by company name only if no company is found.
  const {
    items: jobs,
    total: jobsTotal,
    searched = companies.searched,
    ...rest
  } = await findJobs(ctx, text, { byCompany: companies.total === 0 });
  const found: Found[] = [
    ...companies.items.slice(0, shownMax).map(foundCompany),
    ...jobs.slice(0, shownMax).map(({ id, title, companyId, companyName, environment }) => ({
      ...{ ...nothing, kind: 'job' as const, name: title, companyId, companyName, environment, jobId: BigInt(id) },
    })),
  ];
  const id = searchedId(text);
  const withId = found.filter(({ jobId, companyId }) => (jobId ?? companyId) === id);
  if (withId.length > 0) return { found: withId };
  const totals = { company: companies.total, job: jobsTotal };
  return {
    ...{
      ...rest,
      ...(searched !== undefined && { searched }),
      found,
      near: found.length === 0 ? (companies.near ?? []) : [],
    },
    total: totals.company + totals.job,
    more: (['company', 'job'] as const).filter((kind) => totals[kind] > shownMax),
  };
}

const foundCompany = ({ id, name }: { readonly id: bigint; readonly name: string }) => ({
  ...{ ...nothing, kind: 'company' as const, name, companyId: id, companyName: name },
});
