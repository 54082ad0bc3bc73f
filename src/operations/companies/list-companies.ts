import type { Context } from '../../context.ts';
import { type CompanyFilter, type CompanyRow, searchCompanies } from '../../queries/company-search.ts';
import { type Listed, listed, perPage } from '../page.ts';

/** Lists companies for administrators, newest first. A blank search term matches every company. */
export async function listCompanies(
  ctx: Context,
  { page, text, ...filter }: CompanyFilter & { readonly page: number },
): Promise<Listed<CompanyRow>> {
  const term = text?.trim() || undefined;
  const { companies, total } = await searchCompanies(ctx.db, { ...filter, text: term }, { page, perPage }, ctx);
  return listed(companies, page, total);
}
