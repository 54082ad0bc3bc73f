import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateServer } from '../../src/database/migrations.ts';
import type { Database } from '../../src/database/open.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { largeJob } from '../helper/sample-jobs.ts';
import { fillWithWorstTexts, searchedTexts } from '../helper/worst-texts.ts';
import { hostileBodies } from '../sanitizer/hostile-bodies.ts';
import { checkHistory } from './check-jobs.ts';
import { type Fault, memoryMb, none, type Outcome, outcome, whole } from './fault.ts';
import { type Answer, ask, History, outcomeOf, p99, type Question } from './history.ts';
import { Loops } from './loops.ts';
import { PrivateCitus } from './private-citus.ts';
import {
  type Form,
  folderPlace,
  hiddenIn,
  type MadeCompany,
  makeCompany,
  operatorOf,
  type Place,
  placeAt,
  Subject,
  serverPlace,
  signIn,
  withinMemory,
  withStore,
} from './subject.ts';
import { clientOf, job, post, sendOne } from './traffic.ts';

const honestCompanies = 10;
/** Fifty requests a minute, below the limit of sixty. */
const honestPauseMs = 1200;
const unit = readFileSync(join(packageRoot, 'scripts/deploy/vaga@.service'), 'utf8');
const unitMib = Number(/^MemoryMax=(\d+)G$/m.exec(unit)?.[1]) * 1024;
const password = 'uma-senha-para-testes';
const email = 'hostil@example.com';
const colleague = 'colega@example.com';

/** The hostile company has so many jobs and entries in its audit trail of the worst texts. */
const makeCompanies = (worstTexts: number) => async (store: Database) => {
  const hostile = await makeCompany(store);
  const { companyId } = hostile;
  await createUser(operatorOf(store), { companyId, email, role: 'main', password });
  await createUser(operatorOf(store), { companyId, email: colleague, role: 'sub', password });
  await fillWithWorstTexts(store.pools.operations, { rows: worstTexts, auditRows: worstTexts, companyId });
  const honest: MadeCompany[] = [];
  for (let i = 0; i < honestCompanies; i++) honest.push(await makeCompany(store));
  return { hostile, honest };
};

/** Honest companies use all operations a little, over both protocols. */
async function honestWork(origin: string, companies: readonly MadeCompany[], forMs: number) {
  const loops = new Loops();
  const histories = companies.map(({ token }) => new History(origin, token));
  const errors: string[] = [];
  for (const history of histories) {
    const client = clientOf(history);
    loops.start(async () => {
      const { wrong } = await sendOne(client);
      if (wrong !== undefined) errors.push(wrong);
    }, honestPauseMs);
  }
  await sleep(forMs);
  await loops.stop();
  const seen = histories.flatMap((history) => history.seen);
  return { seen, errors, p99Ms: p99(seen.filter(({ status }) => status > 0)) };
}

const unknownNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n.toString(36)}`, 1]));
const batchOf = (name: string, given: object) =>
  Array.from({ length: 20 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: given },
  }));
/** The dearest requests that are refused. */
const wrongBodies = [
  { ...job, contact_email: 'a@'.repeat(63_000) },
  { ...job, contact_email: 'é'.repeat(63_000) },
  { ...job, title: ''.padEnd(20_000, 'x'), ...unknownNames(10_000) },
  { ...job, education_details: Array(50_000).fill(1) },
];
const wrongBatches = [
  batchOf('list_jobs', unknownNames(700)),
  batchOf('create_job', { job: { ...job, ...unknownNames(500) } }),
];

/** Everything that one company can do to disturb others, all at once and repeatedly, without a request limit. */
async function attack({ origin }: Subject, { sandbox, token: production }: MadeCompany, id: number) {
  const statuses = new Map<number, number>();
  const loops = new Loops();
  const note = (answer: Pick<Answer, 'status'> | undefined): void => {
    const status = answer?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const send = async (token: string, question: Question) => note(await ask(origin, token, question));
  const list = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'list_jobs', arguments: { per_page: 100 } },
  });
  const batch = { method: 'POST', path: '/sandbox/mcp', body: Array.from({ length: 20 }, (_, id) => list(id)) };
  for (let i = 0; i < 3; i++) loops.start(() => send(sandbox, batch), 1000);
  for (let i = 0; i < 20; i++) loops.start(() => send(sandbox, { path: '/sandbox/v1/jobs?per_page=100' }), 1000);
  const patch = (round: number) => ({
    method: 'PATCH',
    path: `/sandbox/v1/jobs/${id}`,
    body: { title: `Vez ${round % 3}` },
  });
  for (let i = 0; i < 5; i++) loops.start((round) => send(sandbox, patch(round)), 200);
  const bodies = Object.values(hostileBodies);
  const create = (round: number) => post({ ...job, body: bodies[round % bodies.length] });
  for (let i = 0; i < 5; i++) loops.start((round) => send(production, create(round)), 200);
  for (const body of wrongBodies) loops.start(() => send(production, post(body)), 200);
  for (const body of wrongBatches) loops.start(() => send(production, { method: 'POST', path: '/mcp', body }), 200);
  const cookie = await signIn(origin, email, password);
  const page = async (path: string, form?: Form) => {
    const body = form && new URLSearchParams(form);
    const init = { headers: { Cookie: cookie }, ...(body && { method: 'POST', body, redirect: 'manual' as const }) };
    const answer = await fetch(`${origin}/dashboard${path}`, init).catch(() => undefined);
    note(answer);
    return (await answer?.text().catch(() => undefined)) ?? '';
  };
  for (let i = 0; i < 8; i++)
    loops.start(() => page(i % 2 === 0 ? '/requests?environment=sandbox' : `/jobs/sandbox/${id}`), 50);
  for (const text of Object.values(searchedTexts))
    for (const list of ['/activity?', '/jobs?environment=production&', '/jobs?environment=production&sort=title&'])
      loops.start(() => page(`${list}text=${encodeURIComponent(text)}`), 200);
  const forms: Readonly<Record<string, (round: number) => Form>> = {
    [`/jobs/sandbox/${id}/update`]: (round) => ({ 'job.body': bodies[round % bodies.length] ?? '', preview: 'true' }),
    [`/people/${colleague}/set-password`]: () => ({ reason: 'ế'.repeat(1000) }),
  };
  for (const [path, entries] of Object.entries(forms))
    loops.start(async (round) => page(path, { ...hiddenIn(await page(path)), ...entries(round) }), 200);
  for (let i = 0; i < 45; i++) loops.start(() => readNothing(origin, sandbox, () => loops.isStopped), 0);
  return { statuses, stop: () => loops.stop() };
}

/** A connection that requests the longest list and reads nothing for this many seconds; then the next one takes its place. */
async function readNothing(origin: string, token: string, isOver: () => boolean): Promise<void> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  socket.write(
    `GET /sandbox/v1/jobs?per_page=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  for (let waited = 0; waited < 35 && !isOver(); waited++) await sleep(1000);
  socket.destroy();
}

async function tryOn(
  place: Place,
  { warmUpSeconds, aloneSeconds, besideSeconds, worstTexts }: Plan,
  memoryMaxMb: number,
): Promise<Outcome> {
  const { hostile, honest } = await withStore(place, makeCompanies(worstTexts));
  const subject = await Subject.start(place);
  try {
    let id = 0;
    for (let i = 0; i < 100; i++) {
      const made = await ask(subject.origin, hostile.sandbox, post(largeJob, `large-${i}`, '/sandbox/v1'));
      id = (made && outcomeOf(made).body.data?.id) ?? id;
    }
    await subject.stop();
    // From here on, each company has the limit of sixty requests a minute.
    const limited = await subject.restart({ REQUESTS_PER_MINUTE: '60', ...withinMemory(unitMib) });
    await honestWork(subject.origin, honest, warmUpSeconds * 1000);
    const alone = await honestWork(subject.origin, honest, aloneSeconds * 1000);
    const { statuses, stop } = await attack(subject, hostile, id);
    const beside = await honestWork(subject.origin, honest, besideSeconds * 1000);
    const mb = memoryMb(limited.pid, 'VmHWM');
    const checked = await checkHistory([...alone.seen, ...beside.seen]);
    await stop();
    const got = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status || 'none'}: ${whole(count)}`);
    return outcome(
      `${besideSeconds} s of a hostile company beside ${honestCompanies} honest ones: ${whole(beside.seen.length)} honest answers, p99 ` +
        `${whole(beside.p99Ms)} ms against ${whole(alone.p99Ms)} ms alone; memory at most ${whole(mb)} MB; ` +
        `the hostile one got ${got.join(', ')}; ${checked.figures}`,
      checked.promises,
      {
        'the process lives on': limited.running,
        [`memory stays under ${memoryMaxMb} MB`]: mb < memoryMaxMb,
        'nothing is answered with 500': !statuses.has(500),
        'each attack arrives': ![401, 403, 404].some((status) => statuses.has(status)),
      },
      none('error for honest companies', [...alone.errors, ...beside.errors]),
    );
  } finally {
    await subject.remove();
  }
}

interface Plan {
  readonly warmUpSeconds: number;
  readonly aloneSeconds: number;
  readonly besideSeconds: number;
  readonly worstTexts: number;
}

/** Only a full run compares times, so only it needs a warm process. */
const plans: Readonly<Record<'full' | 'short', Plan>> = {
  full: { warmUpSeconds: 15, aloneSeconds: 120, besideSeconds: 600, worstTexts: 50_000 },
  short: { warmUpSeconds: 0, aloneSeconds: 1, besideSeconds: 10, worstTexts: 500 },
};

const promise = 'a hostile company causes no error for others and little memory use';

export const hostileCompany: Fault = {
  name: 'hostile-company',
  promise,
  run: async (scale) => tryOn(await serverPlace(), plans[scale], 900),
};

export const hostileCompanyEmbedded: Fault = {
  name: 'hostile-company-embedded',
  promise: `on the embedded database ${promise}`,
  run: async (scale) => tryOn(await folderPlace(), plans[scale], 1300),
};

export const hostileCompanyCitus: Fault = {
  name: 'hostile-company-citus',
  promise: `on Citus ${promise}`,
  run: async (scale) => {
    const cluster = await PrivateCitus.make();
    const { url } = cluster.coordinator;
    await migrateServer(url);
    return tryOn(
      placeAt(url, () => cluster.remove()),
      plans[scale],
      1300,
    );
  },
};
