import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { freePort } from '../helper/free-port.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const run = promisify(execFile);
const unit = join(packageRoot, 'scripts/deploy/vaga@.service');

describe('the systemd unit', function () {
  this.timeout(60_000);
  let folder: string;
  let port: number;
  let env: Record<string, string>;
  let text: string;

  const settingOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaga-systemd-'));
    port = await freePort();
    text = await readFile(unit, 'utf8');
    // What systemd puts in: the instance's name and the folder of states.
    const settings = settingOf('Environment').replaceAll('%i', String(port)).replaceAll('%S', folder);
    env = Object.fromEntries(settings.split(' ').map((setting) => setting.split('=') as [string, string]));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('systemd finds nothing wrong with it', async function () {
    const copy = join(folder, 'vaga@3000.service');
    await copyFile(unit, copy);
    try {
      const { stdout, stderr } = await run('systemd-analyze', ['verify', '--recursive-errors=no', '--man=no', copy]);
      expect(stdout + stderr).to.equal('');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.skip();
      throw error;
    }
  });

  it('starts the service with its settings, and gives it the time that it needs to stop', async () => {
    expect(settingOf('ExecStart')).to.equal('/usr/bin/node dist/src/main.js');
    const service = await ServiceProcess.start({ ...env, DRAIN_NOTICE_SECONDS: '0' }, '"listening"');
    expect(service.address, service.output).to.equal(`http://127.0.0.1:${port}`);
    expect((await fetch(`${service.address}/healthz`)).status).to.equal(200);
    service.signal('SIGTERM');
    expect(await service.ended()).to.equal(0);
    const { drainNoticeSeconds, drainSeconds } = readConfig(env);
    expect(Number(settingOf('TimeoutStopSec'))).to.be.above(drainNoticeSeconds + drainSeconds);
  });
});
