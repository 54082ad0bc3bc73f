import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../helper/free-port.ts';
import { Skipped } from './fault.ts';

const run = promisify(execFile);

/** Where Debian and Ubuntu put the programs of each major version. */
const binaries = [18, 17, 16, 15]
  .map((major) => `/usr/lib/postgresql/${major}/bin`)
  .find((folder) => existsSync(folder));

/** `immediate` drops everything as a crash would; `fast` ends the sessions and writes a checkpoint. */
export type StopMode = 'fast' | 'immediate';

/** A private PostgreSQL server, with fsync, that a test may stop. */
export class PrivatePostgres {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Makes the cluster and starts it. Throws Skipped without PostgreSQL's programs. */
  static async make(): Promise<PrivatePostgres> {
    const server = await PrivatePostgres.#prepare();
    await asPostgres('initdb', '-D', join(server.#folder, 'data'), '-A', 'trust', '-U', 'postgres', '-E', 'UTF8');
    await server.start();
    return server;
  }

  /** A second server that follows this one by streaming replication and takes no writes. */
  async standby(): Promise<PrivatePostgres> {
    const server = await PrivatePostgres.#prepare();
    const source = ['-h', '127.0.0.1', '-p', String(this.#port), '-U', 'postgres'];
    await asPostgres(
      'pg_basebackup',
      '-D',
      join(server.#folder, 'data'),
      '-R',
      '-c',
      'fast',
      '-X',
      'stream',
      ...source,
    );
    await server.start();
    return server;
  }

  static async #prepare(): Promise<PrivatePostgres> {
    if (!binaries) throw new Skipped('PostgreSQL 15 or newer is not installed in /usr/lib/postgresql');
    const folder = await mkdtemp(join(tmpdir(), 'vaga-postgres-'));
    await chmod(folder, 0o777);
    return new PrivatePostgres(folder, await freePort());
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const settings = `-p ${this.#port} -k ${this.#folder} -h 127.0.0.1`;
    await this.#control('start', '-w', '-l', join(this.#folder, 'log'), '-o', settings);
  }

  async stop(mode: StopMode): Promise<void> {
    await this.#control('stop', '-w', '-m', mode);
  }

  async remove(): Promise<void> {
    await this.stop('immediate').catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  #control(...args: string[]): Promise<void> {
    return asPostgres('pg_ctl', '-D', join(this.#folder, 'data'), ...args);
  }
}

/** PostgreSQL refuses to run as root. */
async function asPostgres(program: string, ...args: string[]): Promise<void> {
  const command = [`${binaries}/${program}`, ...args];
  const [file = '', ...rest] =
    process.getuid?.() === 0
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
      : command;
  // No pipe of ours may reach the server, which outlives pg_ctl.
  await run('sh', ['-c', 'exec "$0" "$@" </dev/null >/dev/null 2>&1', file, ...rest], { cwd: tmpdir() });
}
