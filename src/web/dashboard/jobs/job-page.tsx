import type { CompanyPerson } from '../../../auth/person.ts';
import { showJob } from '../../../operations/jobs/show-job.ts';
import { type PageAnswer, type PageContext, page } from '../../page.ts';
import { environmentIn, idIn, idInQuery } from '../../params.ts';
import { JobBody } from '../../parts/job-body.tsx';
import { JobFacts } from '../../parts/job-facts.tsx';
import { JobHistory } from '../../parts/job-history.tsx';
import { JobStatusBadge } from '../../parts/job-status.tsx';
import { Instant } from '../../parts/when.tsx';
import { actorName } from '../actor-name.ts';

/** One job as candidates read it, why it was denied, and what happened to it. */
export async function jobPage(ctx: PageContext<CompanyPerson>): Promise<PageAnswer> {
  const environment = environmentIn(ctx.params);
  const name = { companyId: ctx.person.company.id, environment, jobId: idIn(ctx.params, 'id') };
  const shown = await showJob(ctx, { ...name, before: idInQuery(ctx.query, 'before') });
  const { job, category, district, denialReason, events, older } = shown;
  return page(
    job.title,
    <>
      <h1>{job.title}</h1>
      <p>
        <JobStatusBadge status={job.status} /> {`Job ${job.id}, ${environment}, created `}
        {job.created_at && <Instant at={new Date(job.created_at)} />}
      </p>
      {denialReason !== null && (
        <p class="alert" id="denial">{`Denied: ${denialReason} A change by the API sends it to review again.`}</p>
      )}
      {job.is_anonymous && <p>Published without the company's name.</p>}
      <article>
        <JobBody body={job.body} />
      </article>
      <JobFacts job={job} category={category} region={district?.name ?? null} />
      <JobHistory path={`/dashboard/jobs/${environment}/${job.id}`} events={events} older={older} nameOf={actorName} />
      <p>
        <a href={`/dashboard/jobs?environment=${environment}`}>{`Back to the jobs in ${environment}`}</a>
      </p>
    </>,
  );
}
