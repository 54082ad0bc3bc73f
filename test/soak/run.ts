import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '../../src/database/open.ts';
import { folderPlace, Subject, serverPlace, withStore } from '../faults/subject.ts';
import { freePort } from '../helper/free-port.ts';
import { churn, newCompanies } from './companies.ts';
import { compareQuarters, lineOf, rowOf, type Sample, sampler, titles } from './sample.ts';
import { doStep } from './steps.ts';

const usage = `npm run soak -- [--hours N | --minutes N] [--rate N]
Sends mixed traffic of fifty companies at a fixed rate (40 requests a second) to a service of its own, on a new database of
DATABASE_URL or on an embedded one, and fails if anything but the data grows after the first quarter.`;

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

/** Starts steps at a fixed rate until the deadline, even if earlier ones are unanswered. */
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

async function sampleUntil(deadline: number, take: () => Promise<Sample>): Promise<Sample[]> {
  const startedAt = performance.now();
  const everyMs = (deadline - startedAt) / samplesMax;
  const samples: Sample[] = [];
  console.log(titles);
  while (samples.length < samplesMax) {
    await sleep(startedAt + (samples.length + 1) * everyMs - performance.now());
    const sample = await take();
    if (samples.push(sample) % printedEvery === 0) console.log(rowOf(sample));
  }
  return samples;
}

/** Runs the plan and prints the measurements. Resolves with the faults. */
async function soak(store: Database, subject: Subject, metricsPort: number, plan: Plan): Promise<string[]> {
  const { origin, service } = subject;
  const active = await newCompanies(store, origin, companiesMax);
  const { observe, take } = sampler(service.pid, metricsPort, store);
  const startedAt = performance.now();
  const deadline = startedAt + plan.minutes * 60_000;
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  const report = (name: string, what: string | undefined): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (what !== undefined)
      wrong.push(`minute ${((performance.now() - startedAt) / 60_000).toFixed(1)}, ${name}: ${what}`);
  };
  const start = async (): Promise<void> => {
    const company = active[Math.floor(Math.random() * active.length)];
    if (!company) return;
    const done = await doStep(origin, company);
    observe(done);
    report(done.name, done.wrong);
  };
  const [samples] = await Promise.all([
    sampleUntil(deadline, take),
    sendUntil(deadline, plan.rate, start),
    churn(deadline, store, origin, active, report),
  ]);
  const lines = compareQuarters(samples).map(lineOf);
  console.log(`\n${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  console.log(`\nMedians of the second and the last quarter:\n${lines.join('\n')}`);
  const logged = service.output.split('\n').filter((line) => /"level":"(warn|error)"/.test(line));
  return [
    ...lines.filter((line) => line.endsWith('GROWS')),
    ...firstOf(wrong, 'unexpected answers'),
    ...firstOf(logged, 'warnings and errors in the log'),
    ...(service.running ? [] : ['the service ended']),
  ];
}

const firstOf = (lines: readonly string[], what: string): string[] =>
  lines.length === 0 ? [] : [`${lines.length} ${what}, the first:`, ...lines.slice(0, wrongMax)];

const plan = readPlan();
const { DATABASE_URL } = process.env;
const place = DATABASE_URL ? await serverPlace('vaga_soak') : await folderPlace();
const metricsPort = await freePort();
const subject = await Subject.start(place, {
  METRICS_PORT: String(metricsPort),
  SESSION_SECRET: randomUUID(),
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
