import { expect } from 'chai';
import { Prisma } from '../../generated/prisma/client.ts';
import { addDays, dayMs, dayToDate, minuteMs, startOfDay } from '../../src/domain/dates.ts';
import { shownStatus } from '../../src/operations/job-status-sql.ts';
import { currentStatus, type JobStatus } from '../../src/operations/jobs/job.ts';
import { listChanges } from '../../src/operations/jobs/job-changes-sql.ts';
import { searchJobs } from '../../src/operations/jobs/job-search-sql.ts';
import { findJob, listJobs } from '../../src/operations/jobs/jobs-sql.ts';
import { jobStatuses } from '../../src/operations/jobs/transitions.ts';
import { owned } from '../../src/operations/kit/clauses-sql.ts';
import { admission, db, newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const today = '2026-03-01';
const days = [null, ...[-400, -1, 0, 1, 400].map((ahead) => addDays(today, ahead))];

it('a list by change has every expiry once, also on a night that has two midnights or none', async () => {
  const acme = await newCompany();
  const tenant = { companyId: acme.id, environment: 'sandbox' } as const;
  const asWriter = await acme.writer();
  const ids: bigint[] = [];
  while (ids.length < 12) ids.push(BigInt((await asWriter.create(minimalJob)).body.data.id));
  for (const [timeZone, day] of [
    ['Atlantic/Azores', '2026-10-25'],
    ['America/Havana', '2026-11-01'],
    ['America/Santiago', '2026-09-06'],
    ['Europe/Lisbon', '2026-10-25'],
    ['Pacific/Kiritimati', '2026-10-25'],
  ] as const) {
    const start = startOfDay(timeZone, day).getTime();
    for (const [at, id] of ids.entries()) {
      const expires = at % 2 === 0;
      const updatedAt = new Date(start + (expires ? -10 * dayMs : (at - 4) * 15 * minuteMs));
      const validUntil = dayToDate(addDays(day, expires ? -1 : 30));
      await db().job.updateMany({ where: { ...tenant, id }, data: { status: 'active', validUntil, updatedAt } });
    }
    const time = { now: new Date(start + dayMs), today: addDays(day, 1), timeZone };
    const since = new Date(start - dayMs);
    const listed = async (perPage: number): Promise<[id: number, at: number][]> => {
      const found: [number, number][] = [];
      let after: Parameters<typeof listChanges>[2]['after'];
      for (;;) {
        const { jobs, next, total } = await listChanges(
          db(),
          tenant,
          { since, after, perPage, status: undefined },
          time,
        );
        found.push(...jobs.map(({ id }): [number, number] => [id, Number(next?.at)]));
        if (!next) return found;
        after = { ...next, total };
      }
    };
    const [inPages, whole] = [await listed(1), await listed(100)];
    expect(
      inPages.map(([id]) => id),
      timeZone,
    ).to.deep.equal(whole.map(([id]) => id));
    expect(whole, timeZone).to.have.length(ids.length);
    for (const [id, at] of inPages.slice(0, -1))
      if (ids.indexOf(BigInt(id)) % 2 === 0) expect(at, timeZone).to.equal(start);
  }
});

describe('the shown status of a job, in SQL and in TypeScript', () => {
  it('is the same for each stored status and last day, when read, filtered and searched', async () => {
    const acme = await newCompany();
    const tenant = { companyId: acme.id, environment: 'sandbox' } as const;
    const asWriter = await acme.writer();
    for (const status of jobStatuses)
      for (const day of days) {
        const id = BigInt((await asWriter.create(minimalJob)).body.data.id);
        const data = { status, validUntil: day && dayToDate(day), updatedAt: new Date('2020-01-01') };
        await db().job.updateMany({ where: { ...tenant, id }, data });
      }
    const rows = await admission().rows<{ id: number; shown: JobStatus }>(
      Prisma.sql`SELECT id::float8, ${shownStatus(today)}::text AS shown FROM jobs WHERE ${owned(tenant)} ORDER BY jobs.id`,
    );
    expect(rows).to.have.length(jobStatuses.length * days.length);
    const expected = new Map<number, JobStatus>();
    for (const { id, shown } of rows) {
      const job = await findJob(db(), tenant, BigInt(id));
      expect(job && currentStatus(job, today), `${job?.status} until ${job?.valid_until}`).to.equal(shown);
      expected.set(id, shown);
    }
    expect([...expected.values()].filter((status) => status === 'expired')).to.have.length(days.length + 2);
    const time = { now: new Date(), today, timeZone: 'Europe/Lisbon' };
    for (const status of jobStatuses) {
      const wanted = [...expected].flatMap(([id, shown]) => (shown === status ? [id] : []));
      const ids = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id);
      const { jobs, total } = await listJobs(db(), tenant, { page: 1, perPage: 100 }, status, time);
      expect([ids(jobs), total], status).to.deep.equal([wanted.toReversed(), wanted.length]);
      const search = { status, sort: 'oldest' } as const;
      const found = await searchJobs(db(), tenant, search, { page: 1, perPage: 100, unread: undefined, today });
      expect(ids(found), status).to.deep.equal(wanted);
      const since = { since: new Date(0), after: undefined, perPage: 100, status };
      expect(ids((await listChanges(db(), tenant, since, time)).jobs), status).to.have.members(wanted);
    }
  });
});
