import type { Context } from '../context.ts';

/** What a command has done: one JSON object for programs (ids as numbers), short lines for people. */
export interface Outcome {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface OpsContext extends Context {
  /** What begins the keys of the service's counts. */
  readonly limitsNamespace: string;
}

/** Runs one command's work on the database and prints what comes of it. */
export type Perform = (work: (ctx: OpsContext) => Promise<Outcome>) => Promise<void>;

/** The last line of a refusal and its code, and how the process ends. */
export interface Failure {
  readonly exitCode: 1 | 2;
  readonly code: string;
  readonly message: string;
}

export function printOutcome({ data, text }: Outcome, json: boolean): void {
  process.stdout.write(`${json ? JSON.stringify(data) : text}\n`);
}

/** One line on standard error; with `json` the same as an object on standard output. Usage errors are on standard error already. */
export function printFailure({ exitCode, code, message }: Failure, json: boolean): void {
  const line = message.replace(/\s+/g, ' ').trim();
  if (exitCode === 1) process.stderr.write(`error: ${line}\n`);
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message: line } })}\n`);
  process.exitCode = exitCode;
}
