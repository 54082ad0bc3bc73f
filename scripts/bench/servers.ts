import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { freePort } from '../../test/helper/free-port.ts';
import { createServerDatabase, onServer } from '../../test/helper/test-database.ts';
import { send } from './requests.ts';

const steps: (() => Promise<unknown>)[] = [];

/** Registers a cleanup for the end of the benchmark. The last one registered runs first. */
export const atEnd = (step: () => Promise<unknown>): unknown => steps.push(step);

export async function cleanUp(): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop()) await step().catch(console.error);
}

/** A server in a process of its own. */
export interface ChildServer {
  readonly name: string;
  readonly pid: number;
  /** Such as http://127.0.0.1:40000. */
  readonly origin: string;
}

/** Starts a program on a free loopback port, and waits until it answers. */
export async function startServer(
  name: string,
  program: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ChildServer> {
  const port = await freePort();
  const child = spawn(process.execPath, program, {
    env: { ...process.env, NODE_ENV: 'production', ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  // The server may be killed, because its data is discarded.
  atEnd(() => Promise.all([ended, child.kill('SIGKILL')]));
  const origin = `http://127.0.0.1:${port}`;
  const probe = { method: 'GET', path: '/', headers: {} } as const;
  for (let waits = 600; (await send(origin, probe)).status === 0; waits--) {
    if (child.exitCode !== null || waits === 0) throw new Error(`${name} did not start`);
    await sleep(50);
  }
  return { name, origin, pid: child.pid ?? 0 };
}

/** Starts the service that `npm run build` has put into a checkout's `dist`, with request limits that no load reaches. */
export const startService = (checkout: string, env: Readonly<Record<string, string>>, name = 'this service') =>
  startServer(name, [join(checkout, 'dist/src/main.js')], {
    ...{ LOG_LEVEL: 'error', REQUESTS_PER_MINUTE: '1000000000', IP_REQUESTS_PER_MINUTE: '1000000000' },
    ...env,
  });

/** Starts the service on a new embedded database. `makeCompany` makes a company with the cli and returns a production credential of it. */
export async function startEmbedded() {
  const dataDir = await mkdtemp(join(tmpdir(), 'vaga-bench-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATABASE_URL: '', DATA_DIR: dataDir };
  const server = await startService(packageRoot, env);
  const ops = async (...args: string[]) => {
    const program = [join(packageRoot, 'dist/src/cli/ops.js'), ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, program, { env: { ...process.env, ...env } });
    return JSON.parse(stdout);
  };
  const makeCompany = async (name: string, ...more: string[]): Promise<string> => {
    const facts = ['--plan', 'Especial', '--verified', ...more];
    const { company_id: id } = await ops('company', 'create', '--name', name, ...facts);
    const rights = ['--environment', 'production', '--access', 'write'];
    return (await ops('credential', 'issue', '--company', String(id), ...rights)).secret;
  };
  return { server, makeCompany };
}

/** Creates and migrates a database on the server of DATABASE_URL or, without it, on this machine's PostgreSQL. Returns its address. */
export async function openDatabase(checkout: string): Promise<string> {
  const { url, drop } = await createServerDatabase('vaga_bench');
  atEnd(drop);
  migrate(checkout, url);
  return url;
}

/** Runs the migrations of a built checkout. Throws if they fail. */
export function migrate(checkout: string, url: string): void {
  const env = { ...process.env, DATABASE_URL: url };
  const { status } = spawnSync(process.execPath, [join(checkout, 'dist/scripts/migrate.js')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`the migrations failed: is ${checkout} built?`);
}

/** Returns the text of a file of /proc about a process, or '' if there is no such file. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The unit of CPU time in /proc. Linux has the same on every machine. */
const tickMicroseconds = 10_000;

/** Reads from proc(5) a process's parent and the CPU time in microseconds of itself and of its ended children. NaN if there is no such process. */
function statOf(pid: number) {
  const stat = procFile(pid, 'stat');
  // The name in parentheses before the numbers may contain spaces.
  const fields = stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return {
    parent: at(1),
    cpu: (at(11) + at(12)) * tickMicroseconds,
    endedCpu: (at(13) + at(14)) * tickMicroseconds,
  };
}

/** CPU time of a process since its start, all threads, in microseconds. */
export const processCpu = (pid: number): number => statOf(pid).cpu;

/** CPU time of all processes of a database's server in microseconds. Includes ended processes, because services renew their connections. */
export const databaseCpu = (url: string): Promise<number> =>
  onServer(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const postmaster = statOf(rows[0]?.pid ?? 0).parent;
    for (;;) {
      const { endedCpu } = statOf(postmaster);
      const children = readdirSync('/proc').map((name) => statOf(Number(name)));
      const running = children.filter(({ parent }) => parent === postmaster);
      // A process that ends meanwhile would count twice or not at all, so read again.
      if (Object.is(endedCpu, statOf(postmaster).endedCpu))
        return running.reduce((sum, { cpu }) => sum + cpu, endedCpu);
    }
  });

/** Memory of a process in MB: now, or with VmHWM the highest so far. */
export const processMegabytes = (pid: number, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(procFile(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
