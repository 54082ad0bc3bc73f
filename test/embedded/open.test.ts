import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import pg from 'pg';
import { openEmpty } from '../../src/database/embedded.ts';
import { isLocked, lockFolder } from '../../src/database/embedded-lock.ts';
import { findService } from '../../src/database/inspect.ts';
import { DatabaseError, openDatabase } from '../../src/database/open.ts';
import { makeDemo } from '../../src/demo.ts';
import { requestTimeAt } from '../../src/domain/dates.ts';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { eraseCompany } from '../../src/operations/companies/people/erase-company.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { patienceMs } from '../helper/test-database.ts';

describe('openDatabase on a folder', () => {
  it('creates a private folder, migrates and seeds it, and keeps what was written', async () => {
    const dataDir = join(ownFolder(), 'data');
    const first = await openDatabase({ dataDir });
    expect(first.kind).to.equal('embedded');
    expect(await first.db.district.count()).to.equal(20);
    await first.db.category.update({ where: { id: 1 }, data: { name: 'Informática' } });
    await first.db.plan.delete({ where: { id: 5 } });
    await first.close();
    await first.close();
    for (const folder of ['', 'pg', 'run'])
      expect((await stat(join(dataDir, folder))).mode & 0o777, folder).to.equal(0o700);
    const second = await openDatabase({ dataDir });
    expect((await second.db.category.findUniqueOrThrow({ where: { id: 1 } })).name).to.equal('Informática');
    expect(await second.db.plan.count(), 'the same data are seeded once').to.equal(4);
    await second.db.serviceState.update({ where: { name: 'reference' }, data: { value: 'of another version' } });
    await second.close();
    const third = await openDatabase({ dataDir });
    expect(await third.db.plan.count(), 'newer data bring what is missing').to.equal(5);
    await third.close();
  });

  it('refuses a second server on the folder with one line', async () => {
    const dataDir = join(ownFolder(), 'data');
    const database = await openDatabase({ dataDir });
    const refusal = await openDatabase({ dataDir }).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DatabaseError);
    expect(String(refusal)).to.match(new RegExp(`${dataDir} is in use by another process$`));
    expect(await database.db.plan.count()).to.equal(5);
    await database.close();
  });

  it('a command joins a service but no other command: it waits until the folder is free', async () => {
    const dataDir = join(ownFolder(), 'data');
    const command = () => openDatabase({ dataDir, join: true });
    const first = await command();
    expect(await findService(dataDir)).to.equal(undefined);
    const others = [command(), command()].map(async (opening) => {
      const { db, close } = await opening;
      return db.plan.count().finally(close);
    });
    await first.close();
    expect(await Promise.all(others)).to.deep.equal([5, 5]);
    const service = await openDatabase({ dataDir });
    const joined = await command();
    expect(await findService(dataDir)).to.be.an('object');
    await joined.close();
    expect(await service.db.plan.count()).to.equal(5);
    await service.close();
  });

  it('a path too long for its socket is refused with one line, for joining too', async () => {
    const folder = ownFolder();
    const ofBytes = (bytes: number) => `${folder}/ã${'x'.repeat(bytes - folder.length - 3)}`;
    await (await openDatabase({ dataDir: ofBytes(85) })).close();
    for (const join of [false, true])
      expect(await openDatabase({ dataDir: ofBytes(86), join }).catch(String)).to.match(
        /has 86 bytes; a Unix socket in it allows at most 85$/,
      );
    expect(existsSync(ofBytes(86))).to.equal(false);
  });

  it('a folder of another user, or that cannot be made, is refused with one line', async () => {
    const dataDir = join(ownFolder(), 'data');
    const service = await openDatabase({ dataDir });
    const isRoot = process.getuid?.() === 0;
    await chmod(join(dataDir, 'run'), 0);
    if (isRoot) process.seteuid?.('nobody');
    const refused = await openDatabase({ dataDir, join: true }).then(String, String);
    if (isRoot) process.seteuid?.('root');
    await chmod(join(dataDir, 'run'), 0o700);
    await service.close();
    expect(refused).to.match(
      /^Error: the data folder \S+ cannot be used: .*EACCES.* \(run this as the user of the service\)$/,
    );
    if (!existsSync('/proc')) return;
    const nowhere = await openDatabase({ dataDir: '/proc/x/y' }).then(String, String);
    expect(nowhere).to.match(/^Error: the data folder \/proc\/x\/y cannot be used: ENOENT.*$/);
  });

  it('one of many simultaneous lockers gets the lock, even after a killed owner', async () => {
    const dataDir = ownFolder();
    for (let round = 0; round < 50; round++) {
      const locked = await Promise.all(Array.from({ length: 10 }, () => lockFolder(dataDir)));
      const releases = locked.filter((release) => release !== undefined);
      expect(releases).to.have.length(1);
      expect(await lockFolder(dataDir)).to.equal(undefined);
      await releases[0]?.();
      // Like a socket without its process, it refuses connections.
      await writeFile(join(dataDir, 'lock', 'killed'), '');
    }
    expect(await readdir(dataDir)).to.deep.equal(['lock']);
  });

  it('a process too busy to accept a connection still holds the lock', async () => {
    const dataDir = ownFolder();
    await mkdir(join(dataDir, 'lock'));
    const path = join(dataDir, 'lock', 'busy');
    const listenAndHang = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 },
      () => { process.stdout.write('listening'); for (;;); })`;
    const busy = spawn(process.execPath, ['-e', listenAndHang], { stdio: ['ignore', 'pipe', 'inherit'] });
    const waiting: Socket[] = [];
    try {
      await once(busy.stdout, 'data');
      const connects = () =>
        new Promise<string>((resolve) => {
          const socket = connect(path, () => resolve('connected'));
          waiting.push(socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? '')));
        });
      let outcome = '';
      for (let n = 0; n < 10 && outcome !== 'EAGAIN'; n++) outcome = await connects();
      expect(outcome).to.equal('EAGAIN');
      expect(await lockFolder(dataDir)).to.equal(undefined);
      expect(await isLocked(dataDir)).to.equal(true);
    } finally {
      for (const socket of waiting) socket.destroy();
      busy.kill('SIGKILL');
    }
  });

  it('a disk that is too small is refused with one line that says so', async function () {
    const disk = ownFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return this.skip();
    }
    const refusal = await openDatabase({ dataDir: disk }).catch(String);
    // A lazy unmount: the failed thread may hold files for a moment.
    execFileSync('umount', ['-l', disk]);
    // 51 is ENOSPC in WASI.
    expect(refusal).to.match(
      /^Error: the embedded database failed \(is its disk full\?\): \{ name: 'ErrnoError', errno: 51 \}$/,
    );
  });

  it('creates the demo company, and then accepts changes by people', async () => {
    const { db, close } = await openDatabase({ dataDir: join(ownFolder(), 'data') });
    const [log, lines] = [console.log, [] as string[]];
    console.log = (text: string) => lines.push(text);
    const service = {
      db,
      sanitizer: new Sanitizer({ timeoutMs: patienceMs }),
      clock: () => new Date(),
      ...requestTimeAt(new Date(), 'Europe/Lisbon'),
    };
    await makeDemo(service, 'http://127.0.0.1:3000').finally(() => {
      console.log = log;
    });
    expect(lines.join()).to.match(/vaga_test_.*vaga_live_.*admin@example.com/s);
    const ctx = { ...service, actor: { kind: 'operator' } } as const;
    expect(await suspendCompany(ctx, { companyId: 1n, reason: 'Prova.' })).to.be.an('object');
    // Without its company, the administrator is still there.
    await eraseCompany(ctx, { companyId: 1n, name: 'Empresa de Demonstração' });
    await makeDemo(service, 'http://127.0.0.1:3000');
    expect(await db.company.count()).to.equal(0);
    await close();
  });

  it('begins again after an interrupted first start', async () => {
    const dataDir = join(ownFolder(), 'data');
    await mkdir(join(dataDir, 'pg'), { recursive: true });
    await writeFile(join(dataDir, 'unfinished'), '');
    await writeFile(join(dataDir, 'pg', 'PG_VERSION'), 'half of a cluster');
    const database = await openDatabase({ dataDir });
    expect(await database.db.plan.count()).to.equal(5);
    await database.close();
    expect(existsSync(join(dataDir, 'unfinished'))).to.equal(false);
  });
});

describe('an embedded database that no longer answers is reported as lost', () => {
  it('its worker dies: every query fails instead of waiting', async () => {
    let worker: Worker | undefined;
    process.once('worker', (started) => {
      worker = started;
    });
    const database = await openDatabase({ dataDir: ':memory:' });
    const asked = Promise.allSettled(Array.from({ length: 20 }, () => database.db.job.count()));
    await worker?.terminate();
    expect((await database.lost).message).to.match(/^the embedded database ended/);
    await asked;
    const [late] = await Promise.allSettled([database.db.plan.count()]);
    expect(late.status).to.equal('rejected');
    await database.close();
  });

  it('it hangs: the message says what to check, and it can still be closed', async () => {
    const opened = await openEmpty(200);
    const embedded = await opened.start();
    const client = new pg.Client(opened.connection);
    client.on('error', () => undefined);
    await client.connect();
    // A migration may take as long as it needs.
    await client.query('SELECT pg_sleep(1.2)');
    await embedded.keep();
    const endless = client.query('SELECT count(*) FROM generate_series(1, 100000000000)').catch((error) => error);
    const lost = await embedded.lost;
    expect(lost).to.be.instanceOf(DatabaseError);
    expect(lost.message).to.match(/no longer responds; .*disk/);
    await embedded.close();
    expect(await endless).to.be.instanceOf(Error);
  });
});
