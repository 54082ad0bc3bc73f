import type { Tenant } from '../../domain/environment.ts';
import { findCredentialOwner } from '../../queries/credential-admin.ts';
import { findJobOwner } from '../../queries/job-review.ts';
import { unknownCredential, unknownJob } from '../errors.ts';
import type { ActionContext } from '../recorded.ts';

/** The company of a credential, for an operator alone: a company's own people name theirs. Refuses with `unknown_credential`. */
export async function locateCredential(ctx: ActionContext, credentialId: bigint): Promise<{ companyId: bigint }> {
  const companyId = await findCredentialOwner(ctx.db, credentialId);
  if (companyId === undefined) throw unknownCredential(credentialId);
  return { companyId };
}

/** Company and environment of a job, for an operator alone. Refuses with `unknown_job`. */
export async function locateJob(ctx: ActionContext, jobId: bigint): Promise<Tenant> {
  const tenant = await findJobOwner(ctx.db, jobId);
  if (!tenant) throw unknownJob(jobId);
  return tenant;
}
