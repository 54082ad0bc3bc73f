import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { newCompany, startApp, startWholeApp } from '../helper/fixtures.ts';
import { newAdministrator, PageClient } from '../helper/page-client.ts';
import { modulesRunIn } from '../helper/recorded-modules.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const readme = readFileSync(join(packageRoot, 'src/README.md'), 'utf8');

/** The files that src/README.md lists below a heading. */
function listedBelow(heading: string): string[] {
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const [walk = ''] = section.split('\n## ');
  return [...walk.matchAll(/^\| `([^`]+)[.]tsx?` \|/gm)].map(([, file = '']) => file);
}

/** The modules that ran in each of three requests; a timer may add some to one of them. */
async function modulesRunInEach(work: () => Promise<unknown>): Promise<string[]> {
  const [first = [], ...others] = [await modulesRunIn(work), await modulesRunIn(work), await modulesRunIn(work)];
  return first
    .filter((module) => others.every((modules) => modules.includes(module)) && !byThemselves.includes(module))
    .map((module) => (module === ofNodes ? 'database/open' : module));
}

/** On a slow machine, these run by themselves in each of three requests: a new connection of the pool, and the embedded thread's heartbeat. */
const byThemselves = ['database/watch-server', 'database/embedded-thread'];
/** With nodes, it gives the company's connections. */
const ofNodes = 'database/citus/connections-by-node';

describe('src/README.md lists the files whose code runs', () => {
  it('for a create over REST', async () => {
    const { server, settle } = await startWholeApp();
    const writer = await (await newCompany()).writer('production', server);
    const create = async () => {
      expect((await writer.create({ ...minimalJob, body: '<p>Obras no <b>Porto</b></p>' })).status).to.equal(201);
      await settle();
    };
    await create();
    expect(await modulesRunInEach(create)).to.have.members(listedBelow('A create, file by file'));
  });

  it('for a suspension from the administration', async () => {
    const server = await startApp();
    const client = await PageClient.signedIn('administrator', await newAdministrator(), server);
    const form = async () => {
      const path = `/companies/${(await newCompany()).id}/suspend`;
      return { path, page: await client.get(path) };
    };
    const forms = [await form(), await form(), await form(), await form()];
    // A company's request log does not include pages, so nothing is written after the answer.
    const suspend = async () => {
      const { path, page } = forms.pop() ?? expect.fail();
      expect((await client.submit(page, path, { reason: 'Falta de pagamento' })).status).to.equal(303);
    };
    await suspend();
    expect(await modulesRunInEach(suspend)).to.have.members(listedBelow('A suspension, file by file'));
  });
});
