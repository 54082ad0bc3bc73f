import { showWaiting } from '../../operations/jobs/list-pending-jobs.ts';
import { refusalsMax, reviewStatistics } from '../../operations/statistics/review-statistics.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { reasonText } from '../components/refusal-reason.ts';
import { Instant } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

/** What is waiting for an administrator. */
export async function overview(ctx: AdminContext): Promise<PageAnswer> {
  const [{ jobs, companies }, statistics] = await Promise.all([showWaiting(ctx), reviewStatistics(ctx)]);
  const { waiting, denials, refusals } = statistics;
  const refused = sum(refusals.map(({ requests }) => requests));
  const { waiting: texts, locale } = ctx.texts;
  return page(
    texts.title,
    <>
      <h1>{texts.heading}</h1>
      <div class="grid">
        <article>
          <h2>
            <a href="/admin/review">{texts.jobs(jobs.jobs)}</a>
          </h2>
          <p>{jobs.oldest ? texts.oldest(<Instant at={jobs.oldest} />) : texts.noJobs}</p>
        </article>
        <article>
          <h2>
            <a href="/admin/companies?state=waiting">{texts.companies(companies)}</a>
          </h2>
          <p>{companies > 0 ? texts.companiesWait : texts.noCompanies}</p>
        </article>
      </div>
      <div class="grid">
        <BarChart
          id="by-age"
          title={texts.byAge}
          summary={texts.byAgeSummary(waiting.at(-1) ?? 0)}
          empty={texts.noJobs}
          head={texts.age}
          series={[texts.waitingJobs]}
          bars={waiting.map((count, at) => ({ label: texts.ages[at] ?? '', values: [count] }))}
        />
        <BarChart
          id="denials"
          title={texts.denials}
          summary={texts.denialsSummary(sum(denials.map(({ jobs }) => jobs)))}
          empty={texts.noDenials}
          head={texts.reason}
          series={[texts.denied]}
          bars={denials.map(({ reason, jobs }) => ({ label: reason, values: [jobs] }))}
          isHorizontal
        />
        <div>
          <BarChart
            id="refusals"
            title={texts.refusals}
            summary={texts.refusalsSummary(refused)}
            empty={texts.noRefusals}
            head={texts.reason}
            series={[texts.refused]}
            bars={refusals.map(({ reason, requests }) => ({
              label: reasonText(reason, ctx.texts),
              values: [requests],
            }))}
            isHorizontal
          />
          {refused >= refusalsMax && <p>{texts.refusalsLimit(refusalsMax.toLocaleString(locale))}</p>}
        </div>
      </div>
    </>,
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
