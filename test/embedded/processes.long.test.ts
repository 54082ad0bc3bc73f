import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const inUse = /^.* is in use by another process\n$/;

/** Runs the service as in its own container, with separate process ids. */
const [file, ...args] = [
  ...['unshare', '--pid', '--net', '--ipc', '--fork', '--kill-child', '--mount-proc'],
  ...[process.execPath, join(packageRoot, 'dist/src/main.js')],
] as const;

describe('several processes on one folder', () => {
  it('a second server is refused, also in another container', async () => {
    const dataDir = join(ownFolder(), 'data');
    const database = await openDatabase({ dataDir });
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    const { stderr } = await promisify(execFile)(file, args, { env }).catch((error) => error);
    // Not every machine lets a process create a container.
    if (!/^unshare: /m.test(stderr)) expect(stderr).to.match(inUse);
    expect(await database.db.plan.count()).to.equal(5);
    await database.close();
  });

  it('when two processes start at once, one serves and the other is refused', async () => {
    const settings = { DATA_DIR: join(ownFolder(), 'data') };
    const services = await Promise.all([ServiceProcess.start(settings), ServiceProcess.start(settings)]);
    const refused = services.filter(({ running }) => !running);
    expect(refused).to.have.length(1);
    expect(refused[0]?.errors).to.match(inUse);
    for (const service of services) await service.stop();
  });
});
