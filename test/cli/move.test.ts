import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrateServer } from '../../src/database/migrations.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { createServerDatabase, onCitus, onServer, type ServerDatabase, serverUrl } from '../helper/test-database.ts';
import { runInProcess } from './run-cli.ts';

describe('ops move', () => {
  let target: ServerDatabase;
  before(async function () {
    if (serverUrl === undefined || onCitus) this.skip();
    target = await createServerDatabase();
  });
  after(() => target?.drop());

  it('copies a folder to an empty PostgreSQL; afterwards the folder is not opened, and a second move changes nothing', async () => {
    const folder = { DATA_DIR: join(ownFolder(), 'data') };
    const server = { DATABASE_URL: target.url };
    const ops = (settings: Record<string, string>, ...words: string[]) => runInProcess(words, { settings });
    await (await openDatabase({ dataDir: folder.DATA_DIR })).close();
    expect((await ops(folder, 'company', 'create', '--name', 'Tinta')).exitCode).to.equal(0);
    // As if the contract had given tables words of SQL.
    const named = ['order', 'text'].map((word) => `CREATE TABLE "${word}" ("end" text)`);
    await migrateServer(target.url);
    await onServer(target.url, (client) => client.query(named.join(';')));
    // As after a migration that was made anew: the same columns in another order.
    const database = await openDatabase({ dataDir: folder.DATA_DIR });
    for (const statement of [
      ...named,
      `INSERT INTO "text" VALUES ('whole')`,
      'ALTER TABLE audit_entries ADD COLUMN again text',
      'UPDATE audit_entries SET again = actor',
      'ALTER TABLE audit_entries DROP COLUMN actor',
      'ALTER TABLE audit_entries RENAME COLUMN again TO actor',
    ])
      await database.db.$executeRawUnsafe(statement);
    await database.close();
    expect(await ops({ ...folder, ...server }, 'move')).to.include({ exitCode: 0, stderr: '' });
    expect((await ops(server, 'company', 'list')).stdout).to.include('Tinta');
    const { rows } = await onServer(target.url, (client) => client.query('SELECT * FROM "text"'));
    expect(rows).to.deep.equal([{ end: 'whole' }]);
    const { entries } = JSON.parse((await ops(server, 'audit', 'list', '--json')).stdout);
    expect([entries[0].actor.split(':')[0], entries[0].action]).to.deep.equal(['operator', 'company.created']);
    expect((await ops(folder, 'company', 'list')).stderr).to.match(/was moved to database \S+ at .*: set DATABASE_URL/);
    // As if the first move had ended before it removed this.
    const moving = join(folder.DATA_DIR, 'moving');
    writeFileSync(moving, '{"id": "1", "tables": 1, "rows": 1, "place": "elsewhere"}');
    const object = JSON.parse((await ops({ ...folder, ...server }, 'move', '--json')).stdout);
    expect([Object.keys(object), object.already]).to.deep.equal([['moved', 'already', 'database'], true]);
    expect(existsSync(moving)).to.equal(false);
    const again = await ops({ ...folder, ...server }, 'move');
    expect(again).to.include({ exitCode: 0, stderr: '' });
    expect(again.stdout).to.match(
      /^Already moved to database \S+ at .*[.]\nNext: start the service with its DATABASE_URL, /,
    );
    const other = await createServerDatabase();
    const elsewhere = await ops({ ...folder, DATABASE_URL: other.url }, 'move');
    await other.drop();
    expect([elsewhere.exitCode, elsewhere.stderr.includes(' was moved to database ')]).to.deep.equal([1, true]);
  });
});
