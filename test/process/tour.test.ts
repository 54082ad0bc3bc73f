import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const [readme, ofClient] = ['README.md', 'src/client/README.md'].map((name) =>
  readFileSync(join(packageRoot, name), 'utf8'),
);

/** What a reader of README pastes after the first start, block by block. */
const blocks = [...`${readme}`.matchAll(/^```sh\n([^`]*?)^```$/gm)]
  .map(([, commands = '']) => commands)
  .filter((commands) => commands.includes('curl'));

describe('README’s tour, word for word', () => {
  let service: ServiceProcess;
  before(async () => {
    service = await ServiceProcess.start({ DATA_DIR: ownFolder() }, 'system"}\'\n');
  });
  after(() => service.signal('SIGKILL'));

  it('a first start prints what the tour needs, each block of commands does what README says, and SIGTERM ends with 0', async () => {
    const settings = service.output.match(/^export (TOKEN|API|MCP)=.*$/gm) ?? [];
    expect(settings).to.have.length(3);
    // README's blocks are pasted into one shell; those that lose a response end with curl's exit code.
    const said: string[] = [];
    for (const block of blocks) {
      const pasted = [...settings, block].join('\n');
      const { stdout } = await promisify(execFile)('bash', ['-c', pasted]).catch((error) => error);
      said.push(stdout);
    }
    const [reference = '', created = '', changed = '', ...retried] = said;
    expect(reference.match(/"data":/g)).to.have.length(4);
    const [, electricians] = /{"id":(\d+),[^}]*"name":"Eletricistas"/.exec(reference) ?? [];
    const named = [...`${readme}${ofClient}`.matchAll(/category_id"?: (\d+)/g)].map(([, id]) => id);
    expect(named).to.deep.equal(Array(3).fill(electricians));
    expect(created)
      .to.match(/^HTTP\/1\.1 201 /)
      .and.match(/^Location: \/sandbox\/v1\/jobs\/1\s/m);
    const [patched, refused, withdrawn, left] =
      changed.match(/{"(?:data|error)":(?:[^{}]|{[^}]*})*}|HTTP[^\r]*/g) ?? [];
    expect(patched).to.include('"title":"Eletricista de obras"');
    expect(refused).to.include('"status":422').and.include('"salary_max":').and.include('"colour":');
    expect(withdrawn).to.equal('HTTP/1.1 204 No Content');
    expect(left).to.include('"status":"inactive"');
    expect(retried.join('')).to.match(/HTTP\/1\.1 200 OK[\s\S]*Idempotent-Replayed: true/);
    expect(said.at(-1)).to.match(/"structuredContent":{"environment":"sandbox","http_status":200/);
    expect(await service.stop()).to.equal(0);
  });
});
