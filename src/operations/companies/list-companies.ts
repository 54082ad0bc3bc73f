import { z } from 'zod';
import { type CompanyRow, searchCompanies } from '../../queries/company-search.ts';
import { declareList } from '../declare.ts';
import { choice, line, page, searchText, sort } from '../fields.ts';
import { listed, perPage } from '../page.ts';
import { planNamed } from '../plans/list-plans.ts';

/** Lists companies, newest first unless `sort` says otherwise. */
export const listCompanies = declareList({
  command: 'company list',
  title: 'List companies',
  by: ['operator', 'administrator'],
  input: z.object({
    text: searchText().optional().meta({ hint: 'Part of a name, an ID, or the e-mail address of one of its people.' }),
    state: choice(['waiting', 'approved', 'suspended', 'unverified'])
      .optional()
      .meta({ label: 'State', hint: 'Waiting means that only the approval for production is missing.' }),
    plan: z
      .union([z.int(), line(100)])
      .optional()
      .meta({ label: 'Plan', hint: 'Name or ID of the current plan, none, or complimentary.' }),
    sort: sort(['newest', 'oldest', 'name']),
    page: page(),
  }),
  items: 'companies',
  columns: {
    id: 'ID',
    name: 'Name',
    plan: 'Plan',
    complimentary: 'Complimentary',
    verified: 'Verified',
    approved: 'Approved',
    suspended: 'Suspended',
    pendingJobs: 'Waiting jobs',
    createdAt: 'Created',
  },
  read: async (ctx, { page, sort, plan: named, ...filter }) => {
    const isName = typeof named === 'string' && named !== 'none' && named !== 'complimentary';
    const plan = isName ? (await planNamed(ctx.db, named)).id : named;
    const { companies, total } = await searchCompanies(ctx.db, { ...filter, plan }, { page, perPage, sort }, ctx);
    return listed<CompanyRow>(companies, page, total);
  },
});
