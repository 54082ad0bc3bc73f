import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

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
  /** As http://127.0.0.1:40000 */
  readonly origin: string;
  readonly pid: number;
  /** Address of the production API, as http://127.0.0.1:40000/v1 */
  readonly base: string;
  /** CPU time of the process since its start, all threads, in microseconds; undefined where /proc does not tell. */
  cpuMicroseconds(): number | undefined;
  /** Memory that the process holds now, all threads; 0 where /proc does not tell. */
  residentMb(): number;
  stop(): Promise<void>;
}

const startSeconds = 30;
const stopSeconds = 5;

/** Starts a server on a free loopback port and waits until it listens; throws where it ends or stays silent. */
export async function startServer({ name, program, env }: ServerPlan): Promise<ChildServer> {
  if (!existsSync(program[0])) throw new Error(`${program[0]} is missing: run npm run build first`);
  const port = await freePort();
  const child = spawn(process.execPath, program, {
    env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const running = () => child.exitCode === null && child.signalCode === null;
  const stop = async (): Promise<void> => {
    if (!running()) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopSeconds * 1000);
    await ended;
    clearTimeout(timer);
  };
  const origin = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + startSeconds * 1000; !(await answers(origin)); await sleep(50)) {
    if (running() && Date.now() < deadline) continue;
    await stop();
    throw new Error(`${name} did not start`);
  }
  return {
    name,
    origin,
    pid: child.pid ?? 0,
    base: `${origin}/v1`,
    cpuMicroseconds: () => processCpu(child.pid),
    residentMb: () => residentMb(child.pid),
    stop,
  };
}

const answers = (origin: string): Promise<boolean> =>
  fetch(origin, { signal: AbortSignal.timeout(1000) }).then(
    async (response) => {
      await response.text();
      return true;
    },
    () => false,
  );

let microsecondsPerTick: number | undefined;

/** CPU time of a process since its start, in microseconds. proc(5): utime and stime are the 14th and 15th field; the second, a name in parentheses, may hold spaces. */
export function processCpu(pid: number | undefined): number | undefined {
  try {
    microsecondsPerTick ??= 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(utime) + Number(stime)) * microsecondsPerTick;
  } catch {
    return undefined;
  }
}

function residentMb(pid: number | undefined): number {
  const status = existsSync('/proc/self') ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
