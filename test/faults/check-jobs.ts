import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Creators } from './creators.ts';
import { none, type Promises, whole } from './fault.ts';
import type { Seen } from './history.ts';
import { contradictions } from './model.ts';
import { type Subject, withStore } from './subject.ts';

interface Checked {
  readonly figures: string;
  readonly promises: Promises;
}

/** Writes a history to a file and checks it. If an answer is wrong, the file stays, so that a person can find out why. */
export async function checkHistory(seen: readonly Seen[]): Promise<Checked> {
  const file = join(await mkdtemp(join(tmpdir(), 'vaga-history-')), 'requests.jsonl');
  await writeFile(file, seen.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const started = performance.now();
  const { objects, found } = contradictions(seen);
  const ms = performance.now() - started;
  const failed = seen.filter(({ status }) => status === 500).map(({ path }) => `${path} got 500`);
  const wrong = [...found, ...failed];
  if (wrong.length === 0) await rm(dirname(file), { recursive: true });
  return {
    figures: `${whole(seen.length)} requests to ${whole(objects)} jobs and keys checked in ${whole(ms)} ms`,
    promises: none(`contradiction in the answers, see ${file}`, wrong),
  };
}

/** Compares the database's rows with the acknowledged creates, by title. Call it when all creators have stopped. */
export function checkJobs(
  { place, companyId }: Pick<Subject, 'place' | 'companyId'>,
  { acknowledged, history, wrong }: Creators,
): Promise<Checked> {
  return withStore(place, async ({ db }) => {
    const jobs = await db.job.findMany({ where: { companyId }, select: { id: true, title: true } });
    const keys = await db.idempotencyKey.count({ where: { companyId } });
    const usage = await db.postingUsage.findMany({ where: { companyId }, select: { used: true } });
    const titles = new Map(jobs.map(({ id, title }) => [Number(id), title]));
    const used = usage.reduce((sum, row) => sum + row.used, 0);
    const lost = [...acknowledged].filter(([title, id]) => titles.get(id) !== title).length;
    const duplicates = jobs.length - new Set(titles.values()).size;
    const checked = await checkHistory(history.seen);
    return {
      figures:
        `${whole(acknowledged.size)} acknowledged, ${lost} lost, ${duplicates} duplicates, usage ${whole(used)} of ${whole(jobs.length)} jobs, ` +
        `${whole(history.count(503))} answers 503, ${whole(history.count(0))} cut or refused; ${checked.figures}`,
      promises: {
        'no acknowledged job is lost': lost === 0,
        'no job is there twice': duplicates === 0,
        'the usage counter equals the jobs created': used === jobs.length && keys === jobs.length,
        ...none('wrong answer', wrong),
        ...checked.promises,
      },
    };
  });
}
