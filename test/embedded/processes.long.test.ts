import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';

/** Runs a program as in its own container, with separate process ids. */
const container = ['sh', '-c', 'exec unshare --pid --net --ipc --fork --kill-child --mount-proc "$@"', 'sh'];

/** Runs a compiled program on a data folder, `within` another command. */
const program = (name: string, words: string[], dataDir: string, within: readonly string[] = []) => {
  const [command = '', ...args] = [...within, process.execPath, join(packageRoot, 'dist/src', name), ...words];
  return promisify(execFile)(command, args, { env: { PATH: process.env.PATH, DATA_DIR: dataDir } });
};

describe('several processes on one folder', () => {
  it('a second server is refused with one line, even in another container', async () => {
    const dataDir = join(ownFolder(), 'data');
    const database = await openDatabase({ dataDir });
    for (const within of [[], container]) {
      const { stderr } = await program('main.js', [], dataDir, within).catch((error) => error);
      // Not every machine lets a process create a container.
      if (!/^unshare: /m.test(stderr)) expect(stderr).to.match(/^.* is in use by another process\n$/);
    }
    expect(await database.db.plan.count()).to.equal(5);
    await database.close();
  });

  it('when two processes start at once, one serves and the other is refused', async () => {
    const settings = { DATA_DIR: join(ownFolder(), 'data') };
    const services = await Promise.all([ServiceProcess.start(settings), ServiceProcess.start(settings)]);
    expect(services.map(({ running }) => running).sort()).to.deep.equal([false, true]);
    for (const service of services) await service.stop();
  });

  it('a second process joins the one that serves', async () => {
    const dataDir = join(ownFolder(), 'data');
    const database = await openDatabase({ dataDir });
    const { stdout } = await program('cli/ops.js', ['company', 'create', '--name', 'Oficina', '--json'], dataDir);
    const id = BigInt(JSON.parse(stdout).company_id);
    expect((await database.db.company.findUniqueOrThrow({ where: { id } })).name).to.equal('Oficina');
    await database.close();
  });
});
