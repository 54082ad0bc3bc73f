import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const compiled = import.meta.url.endsWith('.js');
const program = fileURLToPath(new URL(`../../src/cli/main.${compiled ? 'js' : 'ts'}`, import.meta.url));
const nodeArguments = compiled ? [program] : ['--import', 'tsx', program];

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Environment variables of the process. */
  readonly settings: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
}

/** Runs the operator's command line on the database that the settings name. */
export function runOps(args: readonly string[], { settings, input = '' }: RunOptions): Promise<Ran> {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [...nodeArguments, ...args], { env: { ...inherited, ...settings } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that reads no input may end before the input is written.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
