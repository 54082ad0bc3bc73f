import * as z from 'zod';
import { startOfDay } from '../../../domain/dates.ts';
import { invalidField } from '../../../domain/errors.ts';
import { allCompanies } from '../../companies/people/list-companies.ts';
import { type ChangeContext, declare } from '../../kit/declare.ts';
import { companyId, day, reason } from '../../kit/fields.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { deleteEndedJobs } from '../change-job-sql.ts';

/** Jobs deleted in one transaction. */
const batch = 200;

/**
 * Permanently deletes, in both environments, the jobs that were withdrawn, denied or expired before a day, with their history. Their postings
 * stay counted and their idempotency keys reserved. Uses small transactions, each with its audit entry, so that an interrupted purge can be
 * repeated. Throws `invalid_input` for a day that has not begun, and `unknown_company`.
 */
export const purgeJobs = declare({
  command: 'job purge',
  title: 'Delete jobs permanently that ended before a day',
  by: ['operator'],
  records: 'job.purged',
  dangerous:
    'The jobs are deleted for good with their history and the contacts that they name. Their idempotency keys stay reserved: a repeated create is refused with 410.',
  input: z.object({
    endedBefore: day().meta({ label: 'Ended before', hint: 'Jobs withdrawn, denied or expired before this day.' }),
    companyId: companyId().optional().meta({ hint: 'Without it, the jobs of all companies.' }),
    reason: reason().optional(),
  }),
  done: 'Jobs deleted: {{jobs}}.',
  run: async (ctx, { endedBefore, companyId }) => {
    if (endedBefore > ctx.today) throw invalidField('endedBefore', 'must not be after today');
    const before = { day: endedBefore, at: startOfDay(ctx.timeZone, endedBefore) };
    const purge = async (id: bigint) => {
      let jobs = 0;
      // Only an empty batch is the last one: a batch is smaller than `batch` also if a job in it is changed meanwhile and stays.
      for (let deleted = batch; deleted > 0; jobs += deleted) deleted = await purgeSome(ctx, id, before);
      return jobs;
    };
    if (companyId !== undefined) return { jobs: await purge(companyId) };
    let jobs = 0;
    for await (const id of allCompanies(ctx)) jobs += await purge(id);
    return { jobs };
  },
});

const purgeSome = (ctx: ChangeContext, companyId: bigint, before: Parameters<typeof deleteEndedJobs>[2]) =>
  recordedFor(ctx, companyId, async (tx) => {
    const jobs = await deleteEndedJobs(tx, companyId, before, batch);
    return { result: jobs, audit: jobs > 0 ? { details: { jobs, ended_before: before.day } } : null };
  });
