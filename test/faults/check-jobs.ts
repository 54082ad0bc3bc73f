import { type CheckedHistory, checkHistory } from './check-history.ts';
import type { Creators } from './creators.ts';
import type { Place } from './place.ts';
import { withStore } from './subject.ts';

/** The database's rows compared with the acknowledged creates. */
export interface CheckedJobs {
  readonly jobs: number;
  /** Acknowledged creates whose job is not there. */
  readonly lost: number;
  /** Jobs beyond one for each key. */
  readonly duplicates: number;
  /** Jobs, keys and the usage counter say the same number. */
  readonly counted: boolean;
  readonly used: number;
  readonly history: CheckedHistory;
}

/** Finds every job of the company by its title; call it when all creators have stopped. */
export function checkJobs(place: Place, companyId: bigint, { acknowledged, history }: Creators): Promise<CheckedJobs> {
  return withStore(place, async ({ db }) => {
    const jobs = await db.job.findMany({ where: { companyId }, select: { id: true, title: true } });
    const keys = await db.idempotencyKey.count({ where: { companyId } });
    const usage = await db.postingUsage.findMany({ where: { companyId }, select: { used: true } });
    const titles = new Map(jobs.map(({ id, title }) => [Number(id), title]));
    const used = usage.reduce((sum, row) => sum + row.used, 0);
    return {
      jobs: jobs.length,
      lost: [...acknowledged].filter(([title, id]) => titles.get(id) !== title).length,
      duplicates: jobs.length - new Set(titles.values()).size,
      counted: used === jobs.length && keys === jobs.length,
      used,
      history: await checkHistory(history.seen),
    };
  });
}

export const promisesAboutJobs = ({ lost, duplicates, counted, history }: CheckedJobs): Record<string, boolean> => ({
  'no acknowledged job is lost': lost === 0,
  'no job is there twice': duplicates === 0,
  'the usage counter equals the jobs created': counted,
  ...history.promise,
});
