import { type CompanyFilter, type CompanyRow, searchCompanies } from '../../queries/company-search.ts';
import { type Listed, listed, perPage } from '../page.ts';
import type { ActionContext } from '../recorded.ts';

/** For administrators: newest first; a blank search term finds every company. */
export async function listCompanies(
  ctx: ActionContext,
  { page, text, ...filter }: CompanyFilter & { readonly page: number },
): Promise<Listed<CompanyRow>> {
  const term = text?.trim() || undefined;
  const { companies, total } = await searchCompanies(ctx.db, { ...filter, text: term }, { page, perPage }, ctx);
  return listed(companies, page, total);
}
