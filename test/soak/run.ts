import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '../../src/database/open.ts';
import { folderPlace, serverPlace } from '../faults/place.ts';
import { Subject, withStore } from '../faults/subject.ts';
import { freePort } from '../helper/free-port.ts';
import { churn } from './churn.ts';
import { Company } from './companies.ts';
import { measures, type Sample, Sampler, type Table, tablesOf } from './sample.ts';
import { doStep } from './steps.ts';
import { compareQuarters, compareTables, growing, lineOf } from './verdict.ts';

const usage = `npm run soak -- [--hours N | --minutes N] [--rate N]
Sends mixed traffic of fifty companies at a fixed rate (40 requests a second) to a service of its own, on a new database of
DATABASE_URL (with limits in REDIS_URL, if set) or on an embedded one, and fails if anything but the data grows after the first quarter.`;

const companiesMax = 50;
const samplesMax = 120;
const printedEvery = 4;
const wrongMax = 200;

interface Plan {
  readonly minutes: number;
  readonly rate: number;
}

function readPlan(): Plan {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { hours: text, minutes: text, rate: text } });
  const { hours = '2', minutes = Number(hours) * 60, rate = '40' } = values;
  const plan = { minutes: Number(minutes), rate: Number(rate) };
  if (plan.minutes > 0 && plan.rate > 0) return plan;
  console.error(usage);
  process.exit(2);
}

/** Counts what happened. */
class Report {
  readonly #startedAt = performance.now();
  readonly steps = new Map<string, number>();
  readonly wrong: string[] = [];
  wrongCount = 0;

  add(name: string, wrong: string | undefined): void {
    this.steps.set(name, (this.steps.get(name) ?? 0) + 1);
    if (wrong === undefined) return;
    this.wrongCount++;
    const minutes = (performance.now() - this.#startedAt) / 60_000;
    if (this.wrong.length < wrongMax) this.wrong.push(`minute ${minutes.toFixed(1)}, ${name}: ${wrong}`);
  }
}

const titles = [...Object.values(measures).map(({ title }) => title), 'slowest'];
const cellsOf = (sample: Sample): string[] => [
  ...Object.entries(measures).map(([name, { digits }]) => sample[name as keyof typeof measures].toFixed(digits)),
  `${sample.slowest.name} ${sample.slowest.ms.toFixed(0)} ms`,
];

const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(9)).join(' ');

/** Starts steps at a fixed rate, whether earlier ones are answered or not, until the deadline. */
async function sendUntil(deadline: number, rate: number, start: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let sent = 0; performance.now() < deadline; sent++) {
    await sleep(Math.max(0, startedAt + (sent * 1000) / rate - performance.now()));
    const step = start().finally(() => running.delete(step));
    running.add(step);
  }
  await Promise.all(running);
}

interface Measured {
  readonly samples: Sample[];
  readonly half: Table[];
  readonly end: Table[];
}

async function sampleUntil(deadline: number, sampler: Sampler, store: Database): Promise<Measured> {
  const everyMs = (deadline - performance.now()) / samplesMax;
  const [samples, startedAt]: [Sample[], number] = [[], performance.now()];
  let half: Table[] = [];
  console.log(row(titles));
  while (samples.length < samplesMax) {
    await sleep(startedAt + (samples.length + 1) * everyMs - performance.now());
    const sample = await sampler.take();
    if (samples.push(sample) % printedEvery === 0) console.log(row(cellsOf(sample)));
    if (samples.length === samplesMax / 2) half = await tablesOf(store);
  }
  return { samples, half, end: await tablesOf(store) };
}

async function warnWithoutAutovacuum({ db }: Database): Promise<void> {
  const [row] = await db.$queryRaw<{ isOff: boolean }[]>`SELECT current_setting('autovacuum') = 'off' AS "isOff"`;
  if (row?.isOff) console.log('This server has autovacuum = off: tables whose rows change will grow.');
}

async function soak(
  store: Database,
  subject: Subject,
  metricsPort: number,
  { minutes, rate }: Plan,
): Promise<string[]> {
  const { origin, service } = subject;
  await warnWithoutAutovacuum(store);
  const active: Company[] = [];
  while (active.length < companiesMax) active.push(await Company.create(store, origin));
  const report = new Report();
  const sampler = new Sampler(service.pid, metricsPort, store);
  const deadline = performance.now() + minutes * 60_000;
  const start = async (): Promise<void> => {
    const company = active[Math.floor(Math.random() * active.length)];
    if (!company) return;
    const done = await doStep(origin, company);
    sampler.observe(done);
    report.add(done.name, done.wrong);
  };
  const [{ samples, half, end }] = await Promise.all([
    sampleUntil(deadline, sampler, store),
    sendUntil(deadline, rate, start),
    churn(deadline, store, origin, active, (name, wrong) => report.add(name, wrong)),
  ]);
  const comparisons = [...compareQuarters(samples), ...compareTables(half, end)];
  console.log(`\n${[...report.steps].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  console.log(end.map(({ name, rows, bytes }) => `${name} ${rows} rows, ${(bytes / 1024).toFixed(0)} KB`).join('; '));
  console.log(`\nMedians of the second and the last quarter:\n${comparisons.map(lineOf).join('\n')}`);
  const logged = service.output.split('\n').filter((line) => /"level":"(warn|error)"/.test(line));
  return [
    ...growing(comparisons),
    ...(report.wrongCount > 0 ? [`${report.wrongCount} unexpected answers, the first:`] : []),
    ...report.wrong,
    ...(logged.length > 0 ? [`${logged.length} warnings and errors in the log, the first:`] : []),
    ...logged.slice(0, wrongMax),
    ...(service.running ? [] : ['the service ended']),
  ];
}

const plan = readPlan();
const { DATABASE_URL, REDIS_URL } = process.env;
const place = DATABASE_URL ? await serverPlace('vaga_soak') : await folderPlace();
const metricsPort = await freePort();
const subject = await Subject.start(place, {
  METRICS_PORT: String(metricsPort),
  SESSION_SECRET: randomUUID(),
  ...(DATABASE_URL && REDIS_URL ? { REDIS_URL, LIMITS_NAMESPACE: `soak-${process.pid}` } : {}),
});
try {
  const wrong = await withStore(place, (store) => soak(store, subject, metricsPort, plan));
  const code = await subject.stop();
  if (code !== 0) wrong.push(`the service ended with ${code}`);
  console.log(wrong.length === 0 ? '\nflat' : `\nNOT FLAT\n${wrong.join('\n')}`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await subject.remove();
}
