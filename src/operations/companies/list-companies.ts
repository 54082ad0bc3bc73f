import type { Context } from '../../context.ts';
import {
  type CompanyFilter,
  type CompanyRow,
  type CompanySort,
  searchCompanies,
} from '../../queries/company-search.ts';
import { type Listed, listed, perPage } from '../page.ts';

/** Lists companies for administrators, newest first unless `sort` says otherwise. A blank search term matches every company. */
export async function listCompanies(
  ctx: Context,
  {
    page,
    text,
    sort = 'newest',
    ...filter
  }: CompanyFilter & { readonly page: number; readonly sort?: CompanySort | undefined },
): Promise<Listed<CompanyRow>> {
  const term = text?.trim() || undefined;
  const { companies, total } = await searchCompanies(ctx.db, { ...filter, text: term }, { page, perPage, sort }, ctx);
  return listed(companies, page, total);
}
