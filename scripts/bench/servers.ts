import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/helper/free-port.ts';
import { createServerDatabase, onServer } from '../../test/helper/test-database.ts';
import type { Run } from './bench.ts';

export interface ServerPlan {
  readonly name: string;
  /** The compiled program, with its arguments. */
  readonly program: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Request limits of this service that no load reaches. */
export const limitsLifted = {
  REQUESTS_PER_MINUTE: '1000000000',
  IP_REQUESTS_PER_MINUTE: '1000000000',
} as const;

/** A server in a process of its own. */
export interface ChildServer {
  readonly name: string;
  readonly pid: number;
  /** As http://127.0.0.1:40000 */
  readonly origin: string;
}

const [startSeconds, stopSeconds] = [30, 5];

/** The service as `npm run build` has put it into a checkout's `dist`, with its limits lifted. */
export const servicePlan = (checkout: string, env: ServerPlan['env'], name = 'this service'): ServerPlan => ({
  name,
  program: [join(checkout, 'dist/src/main.js')],
  env: { LOG_LEVEL: 'error', ...limitsLifted, ...env },
});

/** Starts a server on a free loopback port and waits until it answers; it is stopped when the run ends. */
export async function startServer({ name, program, env }: ServerPlan, run: Run): Promise<ChildServer> {
  run.signal.throwIfAborted();
  const port = await freePort();
  const child = spawn(process.execPath, program, {
    env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const running = () => child.exitCode === null && child.signalCode === null;
  run.undo(async () => {
    if (!running()) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopSeconds * 1000);
    await ended;
    clearTimeout(timer);
  });
  const origin = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + startSeconds * 1000; !(await answers(origin)); await sleep(50))
    if (!running() || Date.now() > deadline) throw new Error(`${name} did not start`);
  return { name, origin, pid: child.pid ?? 0 };
}

const answers = (origin: string): Promise<boolean> =>
  fetch(origin, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.text().then(() => true),
    () => false,
  );

/** A migrated database beside the one that DATABASE_URL names, or on the PostgreSQL of this machine; dropped when the run ends. */
export async function openDatabase(checkout: string, run: Run): Promise<string> {
  run.signal.throwIfAborted();
  const { url, drop } = await createServerDatabase('vaga_bench');
  run.undo(drop);
  const options = { env: { ...process.env, DATABASE_URL: url }, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'dist/scripts/migrate.js')], options);
  if (status !== 0) throw new Error(`the migrations failed: is ${checkout} built?\n${stderr}`);
  return url;
}

/**
 * Processor time of all processes of a database's server, in microseconds, with those that have ended: services renew their connections.
 * NaN for a server of another machine.
 */
export const databaseCpu = (url: string): Promise<number> =>
  onServer(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const [, postmaster = Number.NaN] = statOf(rows[0]?.pid ?? 0);
    const endedCpu = (): number => {
      const { 13: user = Number.NaN, 14: system = Number.NaN } = statOf(postmaster);
      return (user + system) * tickMicroseconds;
    };
    // A process that ends meanwhile would count twice or not at all.
    for (;;) {
      const ended = endedCpu();
      const children = readdirSync('/proc')
        .map(Number)
        .filter((pid) => statOf(pid)[1] === postmaster);
      const total = children.reduce((sum, pid) => sum + (processCpu(pid) || 0), ended);
      if (Object.is(ended, endedCpu())) return total;
    }
  });

/** A file of /proc about a process; empty where there is none. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The fields of a process from the third on, of which the second is its parent (proc(5)); none if it has ended. */
function statOf(pid: number): number[] {
  const stat = procFile(pid, 'stat');
  // The name before them, in parentheses, may hold spaces.
  return stat === ''
    ? []
    : stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
}

const tickMicroseconds = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time of a process since its start, all threads, in microseconds; NaN without /proc. */
export function processCpu(pid: number): number {
  const { 11: user = Number.NaN, 12: system = Number.NaN } = statOf(pid);
  return (user + system) * tickMicroseconds;
}

/** Memory of a process now, or its highest so far (proc(5)); NaN without /proc. */
export const processMegabytes = (pid: number, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(procFile(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
