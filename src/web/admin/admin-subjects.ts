import { showCompany } from '../../operations/companies/show-company.ts';
import { showCredential } from '../../operations/credentials/list-credentials.ts';
import { type JobRef, showJob } from '../../operations/jobs/show-job.ts';
import { listPlans } from '../../operations/plans/list-plans.ts';
import { listMainAreas, showCategory } from '../../operations/reference/change-category.ts';
import { listAllDistricts } from '../../operations/reference/list-reference.ts';
import type { Subject } from '../operation-page.tsx';
import type { AdminContext } from '../page.ts';
import { environmentIn, idIn, type Options } from '../params.ts';

export const companyPath = (companyId: bigint): string => `/admin/companies/${companyId}`;

export const companyJobsPath = ({ companyId, environment }: Omit<JobRef, 'jobId'>): string =>
  `${companyPath(companyId)}/${environment}/jobs`;

export const jobPath = ({ jobId, ...tenant }: JobRef): string => `${companyJobsPath(tenant)}/${jobId}`;

/** The job that a path names. Throws 404 for a malformed path. */
export const jobIn = ({ params }: AdminContext): JobRef => ({
  companyId: idIn(params, 'company'),
  environment: environmentIn(params),
  jobId: idIn(params, 'job'),
});

// What the forms are about: its name, how it is now, and what may be chosen.

const companyIn = (ctx: AdminContext) => showCompany(ctx, { companyId: idIn(ctx.params, 'company') });

const optionsOf = (named: readonly { readonly id: number; readonly name: string }[]): Options =>
  named.map(({ id, name }) => [String(id), name]);

export async function company(ctx: AdminContext): Promise<Subject> {
  const values = await companyIn(ctx);
  return { name: values.name, values };
}

/** By name, as the operations take them. */
export const choiceOfPlan = async (ctx: AdminContext): Promise<Subject> => ({
  options: { plan: (await listPlans(ctx, {})).items.map(({ name }) => [name, name]) },
});

export async function subscription(ctx: AdminContext): Promise<Subject> {
  const { name, subscription: current } = await companyIn(ctx);
  return { ...(await choiceOfPlan(ctx)), name, values: { plan: current?.inForce ? current.plan.name : undefined } };
}

export async function grant(ctx: AdminContext): Promise<Subject> {
  const { name, grant: current } = await companyIn(ctx);
  return { name, values: { limit: current?.monthlyLimit, until: current?.expiresOn } };
}

export async function districts(ctx: AdminContext): Promise<Subject> {
  const { name, districts: allowed } = await companyIn(ctx);
  const { items: all } = await listAllDistricts(ctx, {});
  return { name, values: { districts: allowed.map(({ id }) => id) }, options: { districts: optionsOf(all) } };
}

export async function credential(ctx: AdminContext): Promise<Subject> {
  const ref = { companyId: idIn(ctx.params, 'company'), credentialId: idIn(ctx.params, 'credential') };
  const { label, lastFour } = await showCredential(ctx, ref);
  return { name: `${label} …${lastFour}` };
}

export async function job(ctx: AdminContext): Promise<Subject> {
  const { job: shown, company: owner } = await showJob(ctx, jobIn(ctx));
  return { name: `${shown.title} (${owner.name})` };
}

/** The plan in the query, or a new one. */
export async function plan(ctx: AdminContext): Promise<Subject> {
  const chosen = (await listPlans(ctx, {})).items.find(({ id }) => String(id) === ctx.query.get('plan'));
  return chosen ? { name: chosen.name, values: chosen } : {};
}

export async function category(ctx: AdminContext): Promise<Subject> {
  const values = await showCategory(ctx, { categoryId: idIn(ctx.params, 'category') });
  return { name: values.name, values };
}

export const choiceOfParent = async (ctx: AdminContext): Promise<Subject> => ({
  options: { parent: optionsOf((await listMainAreas(ctx, {})).items) },
});
