import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { freePort } from '../helper/free-port.ts';

/** Every write to it fails with ENOSPC. */
const fullDisk = '/dev/full';

describe('a log that cannot be written', function () {
  this.timeout(60_000);

  it('does not keep the service from answering, and from stopping', async function () {
    if (!existsSync(fullDisk)) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'vaga-full-log-'));
    const [port, log] = [await freePort(), openSync(fullDisk, 'w')];
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [join(packageRoot, 'dist/src/main.js')], {
      env: { PATH, PORT: String(port), DATA_DIR: folder, NODE_ENV: 'production' },
      stdio: ['ignore', log, 'inherit'],
    });
    try {
      /** Undefined until it listens. */
      const ask = (path: string) =>
        fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) }).then(
          ({ status }) => status,
          (error: Error) => {
            if (error.name === 'TimeoutError') throw error;
            return undefined;
          },
        );
      while (child.exitCode === null && (await ask('/readyz')) !== 200);
      for (let n = 0; n < 20; n++) expect(await ask('/v1/account')).to.equal(401);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).to.deep.equal([0, null]);
    } finally {
      child.kill('SIGKILL');
      closeSync(log);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
