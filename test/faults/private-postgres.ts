import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../helper/free-port.ts';
import { onServer } from '../helper/test-database.ts';
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
  readonly port: number;
  readonly #folder: string;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Creates the cluster and starts it, with these lines of configuration. Throws Skipped without PostgreSQL's programs. */
  static async make(settings = ''): Promise<PrivatePostgres> {
    const server = await PrivatePostgres.#prepare();
    await asPostgres('initdb', '-D', join(server.#folder, 'data'), '-A', 'trust', '-U', 'postgres', '-E', 'UTF8');
    await appendFile(join(server.#folder, 'data', 'postgresql.conf'), settings);
    await server.start();
    return server;
  }

  /** A second server at this port that follows this one by streaming replication and accepts no writes. */
  async standby(port = this.port): Promise<PrivatePostgres> {
    const server = await this.backUp(port, '-R');
    await server.start();
    return server;
  }

  /** A base backup, which is not started. */
  async backUp(port = this.port, ...options: string[]): Promise<PrivatePostgres> {
    const server = await PrivatePostgres.#prepare();
    const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
    const target = ['-D', join(server.#folder, 'data'), '-c', 'fast', '-X', 'stream'];
    await asPostgres('pg_basebackup', ...source, ...target, ...options);
    return server;
  }

  /** Starts a base backup, replays the archived log after it, and resolves when it accepts writes. */
  async recover(settings: string): Promise<void> {
    await appendFile(join(this.#folder, 'data', 'postgresql.conf'), settings);
    await writeFile(join(this.#folder, 'data', 'recovery.signal'), '');
    await this.start();
    // It answers reads before it accepts writes.
    await onServer(this.url, async (client) => {
      while ((await client.query('SELECT pg_is_in_recovery() AS recovers')).rows[0].recovers) await sleep(10);
    });
  }

  static async #prepare(): Promise<PrivatePostgres> {
    if (!binaries) throw new Skipped('PostgreSQL 15 or newer is not installed in /usr/lib/postgresql');
    const folder = await mkdtemp(join(tmpdir(), 'vaga-postgres-'));
    await chmod(folder, 0o777);
    return new PrivatePostgres(folder, await freePort());
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const settings = `-p ${this.port} -k ${this.#folder} -h 127.0.0.1`;
    await this.#control('start', '-w', '-l', join(this.#folder, 'log'), '-o', settings);
  }

  async stop(mode: StopMode): Promise<void> {
    await this.#control('stop', '-w', '-m', mode);
  }

  /** Makes a standby a primary. */
  async promote(): Promise<void> {
    await this.#control('promote', '-w');
  }

  /** Stops or continues every process of the server. */
  async signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const file = await readFile(join(this.#folder, 'data', 'postmaster.pid'), 'utf8');
    const postmaster = Number.parseInt(file, 10);
    // The parent first: a stopped parent starts no more children.
    process.kill(postmaster, name);
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    for (const pid of children.split(' ').filter(Boolean)) signalIfThere(Number(pid), name);
  }

  async remove(): Promise<void> {
    await this.signal('SIGCONT').catch(() => undefined);
    await this.stop('immediate').catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  #control(...args: string[]): Promise<void> {
    return asPostgres('pg_ctl', '-D', join(this.#folder, 'data'), ...args);
  }
}

/** The process may have ended meanwhile. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

/** PostgreSQL refuses to run as root. */
async function asPostgres(program: string, ...args: string[]): Promise<void> {
  const command = [`${binaries}/${program}`, ...args];
  const [file = '', ...rest] =
    process.getuid?.() === 0
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
      : command;
  // The server must not inherit our pipes: it outlives pg_ctl.
  await run('sh', ['-c', 'exec "$0" "$@" </dev/null >/dev/null 2>&1', file, ...rest], {
    cwd: tmpdir(),
    // Citus connects its nodes with libpq, which fails for an unreadable home folder.
    env: { ...process.env, HOME: tmpdir() },
  });
}
