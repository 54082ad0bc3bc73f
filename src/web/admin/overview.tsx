import { showWaiting } from '../../operations/jobs/list-pending-jobs.ts';
import { reviewStatistics } from '../../operations/statistics/review-statistics.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { Table } from '../components/table.tsx';
import { Instant } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';
import { useTexts } from '../texts/texts.ts';

/** What is waiting for an administrator. */
export async function overview(ctx: AdminContext): Promise<PageAnswer> {
  const [{ jobs, companies }, { waiting, denials }] = await Promise.all([showWaiting(ctx), reviewStatistics(ctx)]);
  const { waiting: texts } = ctx.texts;
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
        {jobs.jobs > 0 && (
          <BarChart
            id="by-age"
            title={texts.byAge}
            summary={texts.byAgeSummary(waiting.at(-1) ?? 0)}
            head={texts.age}
            series={[texts.waitingJobs]}
            bars={waiting.map((count, at) => ({ label: texts.ages[at] ?? '', values: [count] }))}
          />
        )}
        {denials.length > 0 && <Denials denials={denials} />}
      </div>
    </>,
  );
}

type DenialsProps = Pick<Awaited<ReturnType<typeof reviewStatistics>>, 'denials'>;

/** Reasons are sentences, so they are rows with a bar and not labels below one. */
function Denials({ denials }: DenialsProps) {
  const { waiting: texts } = useTexts();
  const most = Math.max(...denials.map(({ jobs }) => jobs));
  return (
    <div>
      <h2>{texts.denials}</h2>
      <Table
        label={texts.denials}
        rows={denials}
        rowHead={texts.reason}
        columns={[
          [texts.reason, ({ reason }) => reason],
          [
            texts.denied,
            ({ jobs }) => (
              <>
                {jobs} <meter value={jobs} max={most} aria-hidden="true" />
              </>
            ),
          ],
        ]}
      />
    </div>
  );
}
