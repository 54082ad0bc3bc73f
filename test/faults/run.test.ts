import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';

describe('npm run faults', () => {
  it('starts outside the test runner, and lists the faults for an unknown name', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(packageRoot, 'dist/test/faults/run.js'), 'none']);
    expect(String(stderr)).to.match(/^there is no fault none\nusage: .*\nnames: kill-service, /);
    expect(status).to.equal(2);
  });
});
