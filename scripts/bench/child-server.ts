import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/helper/free-port.ts';
import type { Run } from './program.ts';

export interface ServerPlan {
  readonly name: string;
  /** The compiled program, with its arguments. */
  readonly program: readonly [file: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** Of this service: limits that no load reaches. */
export const limitsLifted = { REQUESTS_PER_MINUTE: '1000000000', IP_REQUESTS_PER_MINUTE: '1000000000' } as const;

/** A server in a process of its own. */
export interface ChildServer {
  readonly name: string;
  readonly pid: number;
  /** As http://127.0.0.1:40000 */
  readonly origin: string;
}

const startSeconds = 30;
const stopSeconds = 5;

/** The service as `npm run build` has put it into `dist`, with its limits lifted. */
export const servicePlan = (dist: string, env: ServerPlan['env'], name = 'this service'): ServerPlan => ({
  name,
  program: [join(dist, 'src', 'main.js')],
  env: { LOG_LEVEL: 'error', ...limitsLifted, ...env },
});

/** Starts a server on a free loopback port and waits until it listens; throws where it ends or stays silent. Stopped at the end. */
export async function startServer({ name, program, env }: ServerPlan, run: Run): Promise<ChildServer> {
  run.signal.throwIfAborted();
  if (!existsSync(program[0])) throw new Error(`${program[0]} is missing: run npm run build first`);
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

let microsecondsPerTick: number | undefined;

/**
 * CPU time of a process since its start, all threads, in microseconds; NaN where /proc does not tell.
 * proc(5): utime and stime are the 14th and 15th field; the second, a name in parentheses, may hold spaces.
 */
export function processCpu(pid: number): number {
  try {
    microsecondsPerTick ??= 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
  } catch {
    return Number.NaN;
  }
}

/** Memory that a process holds now, all threads, or has held at the most (proc(5)); NaN where /proc does not tell. */
export function processMegabytes(pid: number, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return kilobytes ? Number(kilobytes[1]) / 1024 : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
