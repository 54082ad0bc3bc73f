import type { ApiContext } from '../../context.ts';
import { refusal } from '../../domain/errors.ts';
import { etagOf } from '../../domain/etag.ts';
import { presentJob, type StoredJob } from '../../domain/job.ts';

/** The body and ETag of an answer that holds one job. The ETag is a digest of everything returned, so it is strong. */
export function jobAnswer({ actor, today }: ApiContext, stored: StoredJob) {
  const body = { data: presentJob(stored, actor.companyName, today) };
  return { headers: { ETag: etagOf(JSON.stringify(body)) }, body };
}

/** Throws 412 `changed` if `ifMatch` is given and the job has none of its tags. A weak tag never matches (RFC 9110 section 13.1.1). */
export function assertUnchanged(ctx: ApiContext, ifMatch: string | undefined, stored: StoredJob): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const { ETag } = jobAnswer(ctx, stored).headers;
  if (ifMatch.match(/(W\/)?"[^"]*"/g)?.includes(ETag)) return;
  const message = `The job is not as in ${ctx.nameOf('If-Match')}; read it again.`;
  throw refusal(412, 'changed', message, { current_etag: ETag }, { ETag });
}
