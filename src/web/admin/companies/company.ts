import type { showCompany } from '../../../operations/companies/show-company.ts';

/** A company as its page shows it. */
export type Company = Awaited<ReturnType<typeof showCompany>>;

export const companyPath = (companyId: bigint): string => `/admin/companies/${companyId}`;
