import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/helper/free-port.ts';
import { createServerDatabase, onServer } from '../../test/helper/test-database.ts';
import type { Run } from './program.ts';

export { onServer };

export interface ServerPlan {
  readonly name: string;
  /** The compiled program, with its arguments. */
  readonly program: readonly [file: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** Request limits of this service that no load reaches. */
export const limitsLifted = {
  REQUESTS_PER_MINUTE: '1000000000',
  IP_REQUESTS_PER_MINUTE: '1000000000',
  MAX_CONNECTIONS_PER_ADDRESS: '100000',
} as const;

/** A server in a process of its own. */
export interface ChildServer {
  readonly name: string;
  readonly pid: number;
  /** As http://127.0.0.1:40000 */
  readonly origin: string;
}

const startSeconds = 30;
const stopSeconds = 5;

/** A compiled program of the service; throws where there is none. */
function compiled(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(`${path} is missing: run npm run build first`);
}

/** The service as `npm run build` has put it into `dist`, with its limits lifted. */
export const servicePlan = (dist: string, env: ServerPlan['env'], name = 'this service'): ServerPlan => ({
  name,
  program: [join(dist, 'src', 'main.js')],
  env: { LOG_LEVEL: 'error', ...limitsLifted, ...env },
});

/** Starts a server on a free loopback port and waits until it answers; it is stopped when the run ends. */
export async function startServer({ name, program, env }: ServerPlan, run: Run): Promise<ChildServer> {
  run.signal.throwIfAborted();
  compiled(program[0]);
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

export interface BenchDatabase {
  readonly url: string;
  /** PostgreSQL's version and durability settings. */
  readonly note: string;
}

/** A migrated database beside the one that DATABASE_URL names, or on the PostgreSQL of this machine; dropped when the run ends. */
export async function openDatabase(dist: string, run: Run): Promise<BenchDatabase> {
  run.signal.throwIfAborted();
  const script = compiled(join(dist, 'scripts', 'migrate.js'));
  const { url, drop } = await createServerDatabase('vaga_bench');
  run.undo(drop);
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`the migrations failed:\n${stdout}${stderr}`);
  const { rows } = await onServer(url, (client) =>
    client.query<{ note: string }>(
      `SELECT format('PostgreSQL %s (fsync %s, synchronous_commit %s)', current_setting('server_version'),
                     current_setting('fsync'), current_setting('synchronous_commit')) AS note`,
    ),
  );
  return { url, note: rows[0]?.note ?? 'PostgreSQL' };
}

/** A file of /proc about a process; empty where there is none. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

let ticksPerSecond: number | undefined;

/**
 * CPU time of a process since its start, all threads, in microseconds; NaN without /proc.
 * proc(5): utime and stime are the 14th and 15th field; the second, a name in parentheses, may hold spaces.
 */
export function processCpu(pid: number): number {
  const stat = procFile(pid, 'stat');
  if (stat === '') return Number.NaN;
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond;
}

/** Memory of a process now, or its highest so far (proc(5)); NaN without /proc. */
export const processMegabytes = (pid: number, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(procFile(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
