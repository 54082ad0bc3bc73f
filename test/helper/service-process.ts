import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';

/** V8 does not optimize WebAssembly: in a process that lives for seconds that costs a third of an embedded start. */
const quickWebAssembly = '--liftoff-only';

const running = new Set<ChildProcess>();
// A failed test may leave one, which would keep mocha from ending. Without mocha they belong to `npm run faults`.
if ('after' in globalThis)
  after(() => {
    for (const child of running) child.kill('SIGKILL');
  });

/** The compiled service, or another program of the project, in its own process. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  output = '';
  /** The part of the output from standard error. */
  errors = '';
  address = '';
  #read = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the process without waiting. `root` is the project to start. */
  static begin(env: Record<string, string>, root = packageRoot, program = 'dist/src/main.js'): ServiceProcess {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [quickWebAssembly, join(root, program)], {
      cwd: root,
      env: { PATH, PORT: '0', ...env },
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    const service = new ServiceProcess(child);
    const onText = (chunk: Buffer) => {
      service.output += chunk;
    };
    child.stdout.on('data', onText);
    child.stderr.on('data', onText);
    child.stderr.on('data', (chunk: Buffer) => {
      service.errors += chunk;
    });
    return service;
  }

  /** Resolves when the output contains `until`, or when the process has ended. */
  static async start(
    env: Record<string, string>,
    until = '"listening"',
    root = packageRoot,
    program?: string,
  ): Promise<ServiceProcess> {
    const service = ServiceProcess.begin(env, root, program);
    await service.#outputHas((output) => output.includes(until));
    service.address = /"address":"([^"]+)"/.exec(service.output)?.[1] ?? '';
    return service;
  }

  /** Resolves when the process prints something that matches. Output from before the last call does not count. */
  async says(pattern: RegExp): Promise<void> {
    const from = this.#read;
    await this.#outputHas((output) => pattern.test(output.slice(from)));
    expect(this.output.slice(from)).to.match(pattern);
    this.#read = this.output.length;
  }

  /** Resolves when the output is as wanted, or when the process has ended. */
  #outputHas(isWanted: (output: string) => boolean): Promise<void> {
    return new Promise<void>((resolve) => {
      const { stdout, stderr } = this.#child;
      const look = () => {
        if (!isWanted(this.output)) return;
        for (const stream of [stdout, stderr]) stream?.off('data', look);
        this.#child.off('close', resolve);
        resolve();
      };
      for (const stream of [stdout, stderr]) stream?.on('data', look);
      this.#child.once('close', resolve);
      look();
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the service listens. Throws its output if it ended instead. */
  static async listening(env: Record<string, string>, root?: string): Promise<ServiceProcess> {
    const service = await ServiceProcess.start(env, undefined, root);
    if (service.address === '') throw new Error(`it does not listen: ${service.output}`);
    return service;
  }

  /** Sends SIGTERM and waits for the process to end. */
  stop(): ReturnType<ServiceProcess['ended']> {
    this.signal('SIGTERM');
    return this.ended();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The exit code, or the signal that ended the process. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    if (this.running) await once(this.#child, 'close');
    return this.#child.exitCode ?? this.#child.signalCode;
  }
}
