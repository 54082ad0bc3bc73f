import type { JobName } from '../../../operations/jobs/review-job.ts';
import { showJob } from '../../../operations/jobs/show-job.ts';
import { type PageAnswer, page } from '../../page.ts';
import { idInQuery } from '../../params.ts';
import { type FieldErrors, FormErrors } from '../../parts/field.tsx';
import { JobBody } from '../../parts/job-body.tsx';
import { JobFacts } from '../../parts/job-facts.tsx';
import { JobHistory } from '../../parts/job-history.tsx';
import { JobStatusBadge } from '../../parts/job-status.tsx';
import { Instant } from '../../parts/when.tsx';
import type { AdminContext } from '../context.ts';
import { jobIn, jobPath } from './job-name.ts';
import { ReviewForms } from './review-forms.tsx';

/** What a refused verdict leaves on the page. */
interface Refused {
  readonly errors: FieldErrors;
  readonly reason: string;
}

const nothing: Refused = { errors: {}, reason: '' };

/** One job as candidates will read it, with its history, and where it waits the forms that judge it. */
export const jobPage = (ctx: AdminContext): Promise<PageAnswer> => showJobPage(ctx, jobIn(ctx));

export async function showJobPage(ctx: AdminContext, name: JobName, refused = nothing): Promise<PageAnswer> {
  const shown = await showJob(ctx, { ...name, before: idInQuery(ctx.query, 'before') });
  const { job, company, category, district, denialReason, events, older, revision } = shown;
  const content = (
    <>
      <h1>{job.title}</h1>
      <FormErrors errors={refused.errors} />
      <p>
        <JobStatusBadge status={job.status} /> {`Job ${job.id} of ${company.name}, ${name.environment}, posted `}
        {job.created_at && <Instant at={new Date(job.created_at)} />}
      </p>
      {denialReason !== null && <p>{`Denied: ${denialReason}`}</p>}
      {job.is_anonymous && <p>Published without the company's name.</p>}
      <article>
        <JobBody body={job.body} />
      </article>
      <JobFacts job={job} category={category} region={district?.name ?? null} />
      {name.environment === 'production' && job.status === 'pending' && (
        <ReviewForms name={name} revision={revision} {...refused} />
      )}
      <JobHistory path={jobPath(name)} events={events} older={older} nameOf={(actor) => actor} />
      <p>
        <a href={`${jobPath(name)}/remove`}>Remove the job for good</a>
      </p>
    </>
  );
  return page(job.title, content, refused === nothing ? 200 : 422);
}
