import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/open.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { checkHistory } from './check-jobs.ts';
import { type Fault, type Outcome, outcome, Skipped, whole } from './fault.ts';
import { History, type Seen } from './history.ts';
import { type Place, Subject } from './subject.ts';
import { post } from './traffic.ts';

const sizeMb = 64;
/** Random, because PostgreSQL would compress other texts. The disk is full after some two thousand jobs. */
const requirements = (): string => randomBytes(6700).toString('base64');

/** A small disk, and later the same data on a larger one. */
async function smallDisk(): Promise<{ place: Place; folder: string; enlarge: () => Promise<string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'vaga-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    await rm(folder, { recursive: true, force: true });
    throw new Skipped('no small disk can be mounted here');
  }
  const dataDir = join(folder, 'data');
  const larger = `${folder}-larger`;
  const remove = async (): Promise<void> => {
    execFileSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
    await rm(larger, { recursive: true, force: true });
  };
  const enlarge = async (): Promise<string> => {
    await cp(dataDir, larger, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
    return larger;
  };
  return { place: { env: { DATA_DIR: dataDir }, open: () => openDatabase({ dataDir }), remove }, folder, enlarge };
}

interface Filled {
  readonly acknowledged: Map<string, number>;
  /** The answers from then on, until the process ended; 0 if the connection was cut. */
  readonly refusals: number[];
  /** The answer to a read afterwards. Undefined if the process has ended. */
  readonly read: number | undefined;
  readonly seen: readonly Seen[];
}

/** A database that cannot write its log ends its process within 20 seconds. */
const refusalsMax = 20;

async function fill({ origin, token, service }: Subject): Promise<Filled> {
  const history = new History(origin, token);
  const acknowledged = new Map<string, number>();
  const refusals: number[] = [];
  for (let i = 0; refusals.length < refusalsMax && service.running; i++) {
    const key = `full-${i}`;
    const body = { ...minimalJob, title: key, requirements: requirements() };
    const answer = await history.ask(post(body, key));
    if (answer?.status === 201) acknowledged.set(key, Number((answer.body as { data: { id: number } }).data.id));
    else refusals.push(answer?.status ?? 0);
  }
  const read = await history.ask({ path: '/v1/jobs?per_page=1' });
  return { acknowledged, refusals, read: service.running ? (read?.status ?? 0) : undefined, seen: history.seen };
}

async function fillAndSave(): Promise<Outcome> {
  const { place, enlarge } = await smallDisk();
  const subject = await Subject.start(place);
  try {
    const { acknowledged, refusals, read, seen } = await fill(subject);
    await subject.kill();
    const again = await ServiceProcess.start(place.env);
    again.signal('SIGKILL');
    await again.ended();
    const store = await openDatabase({ dataDir: await enlarge() });
    const jobs = await store.db.job.findMany({ select: { id: true, title: true } });
    await store.db.job.updateMany({ data: { revision: { increment: 1 } } });
    await store.close();
    const titles = new Map(jobs.map(({ id, title }) => [title, Number(id)]));
    const lost = [...acknowledged].filter(([key, id]) => titles.get(key) !== id).length;
    const checked = await checkHistory(seen);
    return outcome(
      `a disk of ${sizeMb} MB filled: ${whole(acknowledged.size)} acknowledged, then answers ${[...new Set(refusals)].join(', ') || 'none'}, ` +
        `the process ${read === undefined ? 'ended' : `lived on and answered a read with ${read}`}, a start said ` +
        `"${again.output.trim().slice(0, 100)}"; on a larger disk ${whole(jobs.length)} jobs, ${lost} lost; ${checked.figures}`,
      checked.promises,
      {
        'the disk became full': refusals.length > 0,
        'the process ends, for its supervisor to act, or goes on with its reads': read === undefined || read === 200,
        'a start on the full disk is refused with one line': /^vaga: [^\n]*disk[^\n]*\n?$/.test(again.output),
        'nothing acknowledged is lost': lost === 0,
        'the refusal is 503, or none from a process that has ended': refusals.every((status) =>
          [503, 0].includes(status),
        ),
        'the log says why': /space|disk|lost/i.test(subject.service.output),
      },
    );
  } finally {
    await subject.remove();
  }
}

export const fullDisk: Fault = {
  name: 'full-disk',
  promise: 'on a full disk reads go on, or the process ends and says why; nothing acknowledged is lost',
  run: fillAndSave,
};
