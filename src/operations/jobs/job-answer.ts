import type { ApiContext } from '../../context.ts';
import type { Schemas } from '../../contract/types.ts';
import { refusal } from '../../domain/errors.ts';
import { etagOfJob, versionOf } from '../../domain/job-version.ts';
import { presentJob, type StoredJob } from './job.ts';

/** The body and ETag of an answer that holds one job. */
export function jobAnswer({ actor, today }: ApiContext, stored: StoredJob) {
  const data = presentJob(stored, actor.companyName, today);
  return { headers: { ETag: etagOfJob(data) }, body: { data } };
}

/** Throws 412 `changed` if `ifMatch` is given and the job has none of its tags. */
export function assertUnchanged(ctx: ApiContext, ifMatch: string | undefined, job: Schemas['Job']): void {
  if (!(tagsIn(ifMatch)?.includes(etagOfJob(job)) ?? true)) throw changed(ctx, job);
}

export function changed(ctx: ApiContext, job: Schemas['Job']) {
  const ETag = etagOfJob(job);
  const message = `The job is not as in ${ctx.nameOf('If-Match')}; read it again.`;
  return refusal(412, 'changed', message, { current_etag: ETag }, { ETag });
}

/** The versions of this job that `ifMatch` names; undefined for any. */
export const versionsIn = ({ actor }: ApiContext, ifMatch: string | undefined, id: number): string[] | undefined =>
  tagsIn(ifMatch)?.flatMap((tag) => {
    const [, updated_at = '', status = '', name] = tag.split('/');
    const company_name = name === '"' ? null : actor.companyName;
    return etagOfJob({ id, updated_at, status, company_name }) === tag ? [versionOf({ updated_at, status })] : [];
  });

/** A weak tag never matches (RFC 9110 section 13.1.1). Undefined for any. */
const tagsIn = (ifMatch: string | undefined): string[] | undefined =>
  ifMatch === undefined || ifMatch === '*' ? undefined : (ifMatch.match(/(W\/)?"[^"]*"/g) ?? []);
