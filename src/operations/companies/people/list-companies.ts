import * as z from 'zod';
import type { Context } from '../../../context.ts';
import { invalidField, unknownCompany } from '../../../domain/errors.ts';
import { foldedText } from '../../../domain/folded-text.ts';
import { declareList } from '../../kit/declare.ts';
import { choice, line, page, searchText, sort } from '../../kit/fields.ts';
import { listedRows, perPage } from '../../kit/paging.ts';
import { isCompany } from '../../kit/recorded-sql.ts';
import { planChoices, planNamed } from '../../plans/people/list-plans.ts';
import { companiesAfter } from '../companies-sql.ts';
import {
  type CompanyRow,
  companiesToSearch,
  findUnreadCompany,
  nearestCompanies,
  searchCompanies,
} from '../company-search-sql.ts';

export const companyStateLabels = {
  waiting: 'Waiting for approval',
  approved: 'Approved',
  suspended: 'Suspended',
  unverified: 'Unverified',
  closed: 'Not approved',
};

/** Lists companies, newest first unless `sort` says otherwise. If none matches the text, `near` lists up to five with similar names. */
export const listCompanies = declareList({
  acrossCompanies: true,
  command: 'company list',
  title: 'List companies',
  by: ['operator', 'administrator'],
  input: z.object({
    text: searchText().optional().meta({ hint: 'Words of a name, an ID, or the e-mail address of one of its people.' }),
    state: choice(['waiting', 'closed', 'approved', 'suspended', 'unverified'])
      .optional()
      .meta({ label: 'State', valueLabels: companyStateLabels }),
    plan: z
      .union([z.int(), line(100)], 'must be one line of plain text')
      .optional()
      .meta({
        label: 'Plan',
        placeholder: 'name|id|none|complimentary',
      }),
    sort: sort(['newest', 'oldest', 'name']),
    page: page(),
  }),
  choices: {
    plan: async (ctx, given) => [
      ...(await planChoices(ctx, given)),
      ['none', { text: 'No plan' }],
      ['complimentary', { text: 'Complimentary access' }],
    ],
  },
  items: 'companies',
  columns: {
    id: 'ID',
    name: 'Company',
    state: 'State',
    plan: 'Plan',
    complimentary: 'Complimentary',
    requestedAt: 'Asked for production',
    pendingJobs: 'Pending jobs',
    createdAt: 'Created',
  },
  read: async (ctx, { page, sort, plan: named, ...filter }) => {
    const isName = typeof named === 'string' && named !== 'none' && named !== 'complimentary';
    const plan = isName ? (await planNamed(ctx.db, named)).id : named;
    const isWhole = filter.text === undefined && sort !== 'name';
    const searched = await companiesToSearch(ctx.db, filter.text);
    const unread = isWhole ? undefined : await findUnreadCompany(ctx.db, searched);
    const found = await listedRows(page, (page) =>
      searchCompanies(ctx.db, { ...filter, plan }, { page, perPage, sort, unread }, ctx),
    );
    const isUnknown = found.total === 0 && filter.text !== undefined;
    const items = found.items.map((company) => ({ ...company, state: filter.state ?? stateOf(company) }));
    return {
      ...found,
      items,
      ...(unread !== undefined && { searched }),
      ...(isUnknown && { near: await nearestCompanies(ctx.db, filter.text ?? '') }),
    };
  },
});

const namesMax = 5;

/**
 * Returns the id of the company that an id or a text means. Throws `unknown_company` for an id, and `invalid_input` if the text matches no
 * company, or if it matches several and is not the whole name of exactly one.
 */
export async function companyNamed(ctx: Context, named: bigint | string | undefined): Promise<bigint | undefined> {
  if (named === undefined) return undefined;
  if (typeof named !== 'string') {
    if (!(await isCompany(ctx.db, named))) throw unknownCompany(named);
    return named;
  }
  const { items, total } = await listCompanies(ctx, { text: named, sort: 'name' });
  const same = items.filter(({ name }) => foldedText(name) === foldedText(named));
  const [only, ...others] = same.length > 0 ? same : items;
  if (!only) throw invalidField('companyId', 'must be a company: no name has these words');
  if (others.length === 0) return only.id;
  const names = items.slice(0, namesMax).map(({ id, name }) => `${name} (${id})`);
  throw invalidField('companyId', 'must be one of {{count}} companies: {{names}}', {
    count: total,
    names: names.join(', '),
  });
}

/** Counts the companies that wait for approval. */
export { countWaitingCompanies } from '../company-search-sql.ts';

/** Yields the ids of all companies. */
export async function* allCompanies({ db }: Context): AsyncGenerator<bigint> {
  for (let ids = await companiesAfter(db); ids.length > 0; ids = await companiesAfter(db, ids.at(-1))) yield* ids;
}

/** A company may be in several states. Returns the one that an administrator should see. */
function stateOf({
  suspended,
  waiting,
  verified,
  approved,
}: Omit<CompanyRow, 'total'>): keyof typeof companyStateLabels {
  if (suspended) return 'suspended';
  if (waiting) return 'waiting';
  if (!verified) return 'unverified';
  return approved ? 'approved' : 'closed';
}
