import { join } from 'node:path';
import { expect } from 'chai';
import { ownFolder } from '../helper/own-folder.ts';
import { createServerDatabase, onCitus, type ServerDatabase, serverUrl } from '../helper/test-database.ts';
import { runInProcess } from './run-cli.ts';

describe('ops move', () => {
  let target: ServerDatabase;
  before(async function () {
    if (serverUrl === undefined || onCitus) this.skip();
    target = await createServerDatabase();
  });
  after(() => target?.drop());

  it('copies a folder to an empty PostgreSQL; afterwards the folder is not opened, and a second move is refused', async () => {
    const folder = { DATA_DIR: join(ownFolder(), 'data') };
    const server = { DATABASE_URL: target.url };
    const ops = (settings: Record<string, string>, ...words: string[]) => runInProcess(words, { settings });
    expect((await ops(folder, 'company', 'create', '--name', 'Tinta')).exitCode).to.equal(0);
    expect(await ops({ ...folder, ...server }, 'move')).to.include({ exitCode: 0, stderr: '' });
    expect((await ops(server, 'company', 'list')).stdout).to.include('Tinta');
    expect((await ops(folder, 'company', 'list')).stderr).to.match(/was moved to postgresql:.*: set DATABASE_URL/);
    expect((await ops({ ...folder, ...server }, 'move')).stderr).to.match(/is not empty/);
  });
});
