import type { Prisma } from '../../generated/prisma/client.ts';
import { db } from './fixtures.ts';

/** Adds events of one job after its others. Their ids follow the job's latest, as each node of Citus has a range of ids of its own. */
export async function insertEvents(events: readonly Prisma.JobEventCreateManyInput[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  const { companyId, environment, jobId } = first;
  const { _max } = await db().jobEvent.aggregate({ where: { companyId, environment, jobId }, _max: { id: true } });
  const last = _max.id ?? 0n;
  await db().jobEvent.createMany({ data: events.map((event, i) => ({ ...event, id: last + BigInt(i + 1) })) });
}
