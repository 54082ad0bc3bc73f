import type { Context } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { actorOf } from '../../domain/actor.ts';
import { policy } from '../../domain/environment.ts';
import { invalid, jobNotFound, unavailable } from '../../domain/errors.ts';
import { asInput, changesFields, currentStatus, jobId, presentJob, statusAfterPatch } from '../../domain/job.ts';
import * as store from '../../queries/jobs.ts';
import { assertDistrictAllowed, checkJob, referenceErrors } from './check-job.ts';

/** How often a change that others overtake is tried again; each round one of the rivals gets through. */
const attemptsMax = 10;

/**
 * Changes the supplied fields only; the rules between fields hold for the merged job. What changes nothing writes nothing.
 * Refuses with 404, with 422, and with 403 `permission` for a district that the company may not publish in.
 */
export async function updateJob(ctx: Context, { path, body }: Input<'updateJob'>): Promise<Reply<'updateJob'>> {
  const { tenant, autoPublish, companyName } = ctx.caller;
  const id = jobId(path.id);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const found = await store.findRevision(ctx.db, tenant, id);
    if (!found) throw jobNotFound();
    const { job: read } = found;
    const checked = await checkJob(ctx, body, { ...asInput(read), ...body });
    const errors = [...(checked.kind === 'invalid' ? checked.errors : []), ...(await referenceErrors(ctx, body))];
    if (checked.kind === 'invalid' || errors.length > 0) throw invalid(errors);
    if (body.district_id !== read.district_id) await assertDistrictAllowed(ctx, body.district_id);
    const publishes = autoPublish && policy[tenant.environment].publishes;
    const seen = currentStatus(read, ctx.today);
    const status = statusAfterPatch(seen, publishes);
    const isChange = status !== seen || changesFields(read, checked.fields);
    const change = { fields: checked.fields, status, actor: actorOf(ctx.caller), now: ctx.now };
    const job = isChange ? await store.updateJob(ctx.db, tenant, found, change) : read;
    if (job) return { status: 200, body: { data: presentJob(job, companyName, ctx.today) } };
  }
  throw unavailable('database', 'The job is being changed by others; try again.', 1);
}
