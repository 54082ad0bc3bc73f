import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Another process on a data folder: `holder` opens it and waits, `joiner` writes a row and ends. `within` is a command that runs it. */
export class Child {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor(task: 'holder' | 'joiner', dataDir: string, within: readonly string[] = []) {
    const extension = extname(fileURLToPath(import.meta.url));
    const program = fileURLToPath(new URL(`./child-program${extension}`, import.meta.url));
    const loader = extension === '.ts' ? ['--import', 'tsx'] : [];
    const [command = '', ...args] = [...within, process.execPath, ...loader, program, task, dataDir];
    this.#process = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exited = once(this.#process, 'exit');
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.lines.push(line));
    }
  }

  /** Resolves when a line has come that matches; rejects if the process ends first. */
  async said(wanted: RegExp): Promise<void> {
    while (!this.lines.some((line) => wanted.test(line))) {
      if (this.#process.exitCode !== null) throw new Error(`the child ended: ${this.lines.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  exited(): Promise<unknown> {
    return this.#exited;
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }
}
