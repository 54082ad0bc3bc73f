import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Owner } from '../../src/store/embedded-lock.ts';
import { type ChildServer, limitsLifted, startServer } from './child-server.ts';
import { type Attack, attack, type Parties, warmUp } from './html-attack.ts';
import { judge, renderHtmlReport } from './html-report.ts';
import { machineNote } from './machine.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const synopsis = 'npm run bench:html -- [--posts N] [--seconds N] [--at-once N] [--json FILE] [--dist DIR]';
const warmUpPosts = 30;
const commandSeconds = 30;
const run = promisify(execFile);

interface Settings {
  readonly posts: number;
  readonly seconds: number;
  readonly atOnce: number;
  /** Where `npm run build` has put the programs. */
  readonly dist: string;
  readonly json: string | undefined;
}

function readSettings(): Settings {
  const text = { type: 'string' } as const;
  const options = { posts: text, seconds: text, 'at-once': text, json: text, dist: text };
  const { values } = parseArgs({ options });
  const count = (name: 'posts' | 'seconds' | 'at-once', fallback: number, max: number): number => {
    const value = Number(values[name] ?? fallback);
    if (Number.isInteger(value) && value >= 1 && value <= max) return value;
    throw new Error(`--${name} must be a whole number from 1 to ${max}\nusage: ${synopsis}`);
  };
  return {
    posts: count('posts', 5000, 1_000_000),
    seconds: count('seconds', 240, 3600),
    atOnce: count('at-once', 8, 100),
    dist: resolve(values.dist ?? join(root, 'dist')),
    json: values.json,
  };
}

/** Runs the operator's command line beside the service on the same data folder; its one JSON object. */
async function operate<T>(dist: string, env: Record<string, string>, ...args: string[]): Promise<T> {
  const program = [join(dist, 'src', 'ops', 'main.js'), ...args, '--json'];
  const options = { env: { ...process.env, ...env }, timeout: commandSeconds * 1000, killSignal: 'SIGKILL' } as const;
  const { stdout } = await run(process.execPath, program, options);
  return JSON.parse(stdout) as T;
}

async function makeParties(dist: string, env: Record<string, string>): Promise<Parties> {
  const make = async (name: string): Promise<string> => {
    const standing = ['--plan', 'Especial', '--verified', '--production-approved'];
    const company = await operate<{ company_id: number }>(dist, env, 'company', 'create', '--name', name, ...standing);
    const rights = ['--environment', 'production', '--access', 'write'];
    const id = String(company.company_id);
    const { secret } = await operate<{ secret: string }>(dist, env, 'credential', 'issue', '--company', id, ...rights);
    return secret;
  };
  const attackers = [await make('Attacker 1'), await make('Attacker 2')];
  return { attackers, author: await make('Author'), reader: await make('Reader') };
}

/** Resident memory, by proc(5), of the process that has claimed the data folder; undefined where /proc does not tell. */
function residentIn(dataDir: string): (line: 'VmRSS' | 'VmHWM') => number | undefined {
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'owner.json'), 'utf8')) as Owner;
  return (line) => {
    try {
      const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      return kilobytes ? Number(kilobytes[1]) / 1024 : undefined;
    } catch {
      return undefined;
    }
  };
}

interface Measured extends Attack {
  readonly highestMegabytes: number | undefined;
  readonly usage: string;
}

/** Reads off, when called, who kept the cores busy since: what others took, the service did not have. */
function startUsage(server: ChildServer): () => string {
  const busySeconds = () =>
    cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1000, 0);
  const ownSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  const now = () => [
    performance.now() / 1000,
    (server.cpuMicroseconds() ?? Number.NaN) / 1e6,
    ownSeconds(),
    busySeconds(),
  ];
  const before = now();
  return () => {
    const [wall = 0, service = 0, own = 0, busy = 0] = now().map((value, index) => value - (before[index] ?? 0));
    const cores = (seconds: number) => (seconds / wall).toFixed(2);
    const others = cores(busy - service - own);
    return `cores busy during the attack: service ${cores(service)}, this program ${cores(own)}, others ${others}`;
  };
}

async function measure(settings: Settings, signal: AbortSignal): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vaga-bench-'));
  const env = { DATABASE_URL: '', DATA_DIR: dataDir };
  const limits = { ...limitsLifted, LOG_LEVEL: 'info' };
  const program = [join(settings.dist, 'src', 'main.js')] as const;
  try {
    const server = await startServer({ name: 'this service', program, env: { ...env, ...limits } });
    try {
      const parties = await makeParties(settings.dist, env);
      await warmUp(server.base, parties, warmUpPosts, signal);
      const resident = residentIn(dataDir);
      const usageSince = startUsage(server);
      const attacked = await attack(server.base, parties, settings, () => resident('VmRSS'), signal);
      return { ...attacked, highestMegabytes: resident('VmHWM'), usage: usageSince() };
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function notesOn({ atOnce }: Settings, { usage }: Measured, loadBefore: readonly number[]): string[] {
  const load = (averages: readonly number[]) => averages[0]?.toFixed(1);
  return [
    machineNote('embedded database'),
    `load average ${load(loadBefore)} before, ${load(loadavg())} after; ${usage}`,
    `Two companies post hostile bodies of 30,000 characters, ${atOnce} each at the same time; a third posts honest HTML`,
    'of 1 to 30 KB and a fourth reads, both on a steady beat. All share the cores with this program.',
  ];
}

async function main(): Promise<void> {
  const settings = readSettings();
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => interruption.abort(new Error(`ended by ${name}`)));
  const loadBefore = loadavg();
  const measured = await measure(settings, interruption.signal);
  const notes = notesOn(settings, measured, loadBefore);
  const verdict = judge(measured, measured.highestMegabytes);
  console.log(renderHtmlReport(notes, verdict));
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ notes, settings, ...verdict }, null, 2)}\n`);
  if (measured.posts < settings.posts) throw new Error(`only ${measured.posts} posts in ${settings.seconds} s`);
  if (verdict.faults > 0) throw new Error(`${verdict.faults} requests had no answer or one that nothing should have`);
}

main().catch((error: unknown) => {
  console.error(`bench:html: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
