import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../src/store/migrations-folder.ts';

/** The compiled service in a process of its own. */
export class Service {
  readonly #child: ChildProcess;
  output = '';
  address = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when the output contains `until`, or when the process has ended. */
  static async start(env: Record<string, string>, until = 'stopped with an error'): Promise<Service> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [join(packageRoot, 'dist/src/main.js')], {
      env: { PATH, PORT: '0', ...env },
    });
    const service = new Service(child);
    await new Promise<void>((resolve) => {
      const onText = (chunk: Buffer) => {
        service.output += chunk;
        if (service.output.includes(until)) resolve();
      };
      child.stdout?.on('data', onText);
      child.stderr?.on('data', onText);
      child.once('close', () => resolve());
    });
    service.address = /"address":"([^"]+)"/.exec(service.output)?.[1] ?? '';
    return service;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The exit code; null where a signal ended the process. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
    return this.#child.exitCode;
  }
}
