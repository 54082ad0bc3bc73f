import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import pg from 'pg';
import { openEmpty } from '../../src/database/embedded.ts';
import { DatabaseError, openDatabase } from '../../src/database/open.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { Child } from './child.ts';

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
    expect(String(refusal)).to.match(new RegExp(`${dataDir} is in use by process ${process.pid}$`));
    const other = new Child('holder', dataDir);
    await other.exited();
    expect(other.lines.join('\n')).to.include('is in use by process');
    expect(await database.db.plan.count()).to.equal(5);
    await database.close();
  });

  it('of two processes that start at once, one serves and the other is refused', async () => {
    const dataDir = join(ownFolder(), 'data');
    const children = [new Child('holder', dataDir), new Child('holder', dataDir)];
    await Promise.all(children.map((child) => child.said(/^open$|in use/)));
    expect(children.filter(({ lines }) => lines.includes('open'))).to.have.length(1);
    await Promise.all(children.map((child) => child.kill()));
  });

  it('a second process joins the one that serves, also through a path too long for a socket', async () => {
    const folder = join(ownFolder(), 'data');
    for (const dataDir of [folder, join(folder, 'deep'.repeat(30))]) {
      const database = await openDatabase({ dataDir });
      const joiner = new Child('joiner', dataDir);
      await joiner.exited();
      expect(joiner.lines).to.deep.equal(['plans 5']);
      expect(await database.db.administrator.count()).to.equal(1);
      await database.close();
    }
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
    const endless = client.query('SELECT count(*) FROM generate_series(1, 100000000000)').catch((error) => error);
    const lost = await embedded.lost;
    expect(lost).to.be.instanceOf(DatabaseError);
    expect(lost.message).to.match(/no longer responds; .*disk/);
    await embedded.close();
    expect(await endless).to.be.instanceOf(Error);
  });
});
