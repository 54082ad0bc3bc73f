import type { Context } from '../context.ts';
import type { Input, Reply } from '../contract/types.ts';
import { jobNotFound } from '../domain/errors.ts';
import { jobId } from '../domain/job.ts';
import * as store from '../store/jobs.ts';

/** Makes a job inactive, repeatedly with the same answer. Refuses with 404 what does not exist for the company. */
export async function withdrawJob(ctx: Context, { path }: Input<'withdrawJob'>): Promise<Reply<'withdrawJob'>> {
  if (!(await store.withdrawJob(ctx.db, ctx.caller.tenant, jobId(path.id), ctx.now))) throw jobNotFound();
  return { status: 204 };
}
