#!/usr/bin/env node
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createClient } from './client.ts';
import { type OwnJob, type SyncStep, TooManyWithdrawals } from './sync.ts';
import { VagaError } from './vaga-error.ts';

const usage = `vaga-client sync FILE [--dry-run] [--yes] [--prefix P]

Makes the jobs of FILE true: creates, changes what differs, withdraws what is gone. FILE is a JSON list of {"id": your own id, "job": {...}}.
The environment variables VAGA_URL and VAGA_TOKEN name the service and hold the credential.

  --dry-run   say what would be done, and change nothing; "uncertain" means that only the service can tell
  --yes       do not ask before more than a fifth of the jobs is withdrawn
  --prefix P  begins the idempotency keys of these jobs; jobs with other keys are left alone

Exit codes: 0 every job of FILE is published, in review or denied by a reviewer; 1 a job was refused, is withdrawn or has expired, or the sync
stopped; 2 wrong usage or file; 3 too many withdrawals, nothing was changed.`;

/** Wrong usage; the message says what to do. */
class UsageError extends Error {}

/** Runs the command. Resolves to its exit code. */
async function main(): Promise<number> {
  const given = readArguments();
  if (!given) {
    console.log(usage);
    return 0;
  }
  const { file, dryRun, yes, prefix } = given;
  const jobs = await readJobs(file);
  const client = createClient({ baseUrl: variable('VAGA_URL'), token: variable('VAGA_TOKEN') });
  const counts = new Map<SyncStep['action'], number>();
  const onProgress = (step: SyncStep): void => {
    counts.set(step.action, (counts.get(step.action) ?? 0) + 1);
    console.log(lineOf(step));
  };
  const run = (share?: number) => client.sync(jobs, { dryRun, prefix, onProgress, withdrawShareMax: share });
  try {
    const steps = await run(yes ? 1 : undefined).catch(async (error: unknown) => {
      if (!(error instanceof TooManyWithdrawals) || !(await isConfirmed(error.message))) throw error;
      return run(1);
    });
    return steps.some(isLost) ? 1 : 0;
  } finally {
    const summary = [...counts].map(([action, count]) => `${count} ${action}`).join(', ');
    if (summary) console.log(`${dryRun ? 'dry run: ' : ''}${summary}`);
  }
}

/** Whether a job of the list is not online, and no review will publish it. What a reviewer has denied is left to people. */
const isLost = ({ action, job }: SyncStep): boolean =>
  action === 'failed' || (action === 'kept' && job?.status !== 'denied');

/** Undefined if the usage is asked for. */
function readArguments() {
  const { positionals, values } = parsedArguments();
  if (values.help) return undefined;
  const [command, file, ...more] = positionals;
  if (command !== 'sync' || file === undefined || more.length > 0) throw new UsageError(usage);
  return { file, dryRun: values['dry-run'] === true, yes: values.yes === true, prefix: values.prefix };
}

function parsedArguments() {
  const flag = { type: 'boolean' } as const;
  const options = { 'dry-run': flag, yes: flag, prefix: { type: 'string' }, help: { ...flag, short: 'h' } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

async function readJobs(file: string): Promise<OwnJob[]> {
  let jobs: unknown;
  try {
    // Unlike readFile, this drops a byte order mark, and throws for bytes that are not UTF-8.
    jobs = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
  const isOwnJob = (one: unknown): one is OwnJob =>
    typeof Object(one).id === 'string' && typeof Object(one).job === 'object' && Object(one).job !== null;
  if (!Array.isArray(jobs) || !jobs.every(isOwnJob))
    throw new UsageError(`${file} must be a JSON list of {"id": "your own id", "job": {...}}`);
  return jobs;
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new UsageError(`the environment variable ${name} is not set\n\n${usage}`);
  return value;
}

async function isConfirmed(message: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const ask = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D closes the interface, and then the question may never be answered.
  const left = once(ask, 'close').then(() => 'no');
  const answer = await Promise.race([ask.question(`${message} Withdraw them? (yes/no) `).catch(() => 'no'), left]);
  ask.close();
  return answer.trim().toLowerCase() === 'yes';
}

const lineOf = ({ id, action, job, fields, error }: SyncStep): string =>
  [action.padEnd(9), id, job?.id, action === 'withdrawn' ? undefined : job?.status, fields?.join(','), error]
    .filter((part) => part !== undefined)
    .join('  ');

function exitCodeOf(error: unknown): number {
  if (error instanceof TooManyWithdrawals) return 3;
  if (error instanceof VagaError) return 1;
  // A TypeError comes from createClient, or from an invalid id in the list.
  return error instanceof UsageError || error instanceof TypeError ? 2 : 1;
}

// The changes are the work: they go on to the end, also if nobody reads what is printed, or nothing can be.
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode) return;
  process.exitCode = 1;
  console.error(`standard output cannot be written (${code})`);
});

const exitCode = await main().catch((error: unknown) => {
  const isOurs = error instanceof TooManyWithdrawals || error instanceof UsageError || error instanceof TypeError;
  const hint = error instanceof TooManyWithdrawals ? ' Nothing was changed; --yes withdraws them.' : '';
  console.error(isOurs ? `${error.message}${hint}` : String(error));
  return exitCodeOf(error);
});
process.exitCode = exitCode || process.exitCode;
