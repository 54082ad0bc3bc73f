import type { Job, JobPage, JobQuery } from './contract.ts';

/**
 * Every job, newest first, asking for a page when the one before is used up. A job created meanwhile moves the others one
 * place on; ids only descend, so that none is given twice.
 */
export async function* allJobs(
  listJobs: (query: JobQuery) => Promise<JobPage>,
  query: Omit<JobQuery, 'page'>,
): AsyncGenerator<Job, void, undefined> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await listJobs({ per_page: 100, ...query, page });
    last = meta.last_page;
    for (const job of data) {
      if (job.id >= lowest) continue;
      lowest = job.id;
      yield job;
    }
  }
}
