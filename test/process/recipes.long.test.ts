import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { connectionTo } from '../../src/database/embedded.ts';
import { socketFolderIn } from '../../src/database/embedded-lock.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { EditedProject } from '../helper/edited-project.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { PageClient, textOf } from '../helper/page-client.ts';
import { follow, recipeIn } from '../helper/recipe.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const recipes = [
  ['src/contract/README.md', 'Add a field'],
  ['src/contract/README.md', 'Add an operation'],
  ['src/operations/README.md', 'Add a page or a command'],
  ['src/README.md', 'Add a setting'],
  ['prisma/README.md', 'Add a table'],
] as const;

describe('the recipes, followed word for word in one copy of the project', () => {
  let project: EditedProject;
  let service: ServiceProcess;
  let DATA_DIR: string;
  let [token, administrator] = ['', ''];

  before(async () => {
    project = await EditedProject.copy(join(ownFolder(), 'project'));
    for (const [page, heading] of recipes) await follow(project, await recipeIn(page, heading));
    expect(await project.mistakes()).to.equal('');
    DATA_DIR = join(ownFolder(), 'data');
    service = await ServiceProcess.start({ DATA_DIR, PROCESS_NAME: 'first' }, 'API reference:', project.folder);
    token = /sandbox {5}(\S+)/.exec(service.output)?.[1] ?? '';
    administrator = /admin@example.com {2}(\S+)/.exec(service.output)?.[1] ?? '';
  });
  after(() => service?.stop());

  /** Runs a compiled program of the project on its embedded database. */
  const run = (...words: string[]) => {
    const env = { PATH: process.env.PATH, DATA_DIR };
    return promisify(execFile)(process.execPath, words, { cwd: project.folder, env });
  };

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'one', 'Content-Type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(`${service.address}/sandbox/v1${path}`, sent)).json()) as { data: unknown };
  };

  it('a field is stored and returned', async () => {
    expect((await ask('POST', '/jobs', { ...minimalJob, openings: 3 })).data).to.include({ openings: 3 });
  });

  it('an operation answers over REST and MCP', async () => {
    expect(await ask('GET', '/job-total')).to.deep.equal({ data: 1 });
    const client = await connectClient(`${service.address}/sandbox/mcp`, token);
    const { structuredContent } = await client.callTool({ name: 'total_jobs' });
    expect(structuredContent).to.deep.include({ response: { data: 1 } });
    await client.close();
  });

  it('an operation of people is a command and a page with a form', async () => {
    const page = new PageClient('administrator', service.address);
    await page.signIn('admin@example.com', administrator);
    expect(textOf(await page.get('/companies/1'))).to.include('Rename');
    expect((await page.send('/companies/1/rename', { name: 'Oficina Nova' })).status).to.equal(303);
    const [command = ''] =
      /(?<=`npm run -s ops -- )company rename[^`]+/.exec(
        readFileSync(join(packageRoot, 'src/operations/README.md'), 'utf8'),
      ) ?? [];
    const words = command.match(/(?<=")[^"]+(?=")|[^\s"]+/g) ?? [];
    const { stdout } = await run('dist/src/cli/ops.js', ...words);
    expect(stdout).to.equal('Company 1 is renamed.\n');
  });

  it('a setting is read', () => {
    expect(service.output).to.match(/"name":"first".*"listening"/);
  });

  it('a table is there, and its rows are in the company’s export', async () => {
    const client = new pg.Client(connectionTo(socketFolderIn(DATA_DIR)));
    await client.connect();
    await client.query(`INSERT INTO company_notes (company_id, text, created_at) VALUES (1, 'Ligou', now())`);
    await client.end();
    const { stdout } = await run('dist/src/cli/ops.js', 'company', 'export', '--company', '1');
    expect(stdout).to.include('"record":"note"');
  });

  it('the checks and the tests that the recipes name pass', async () => {
    const pages = recipes.map(([page]) => readFileSync(join(packageRoot, page), 'utf8')).join('\n');
    // The tests above already try the form and the examples; these two files take a minute.
    const tests = new Set(pages.match(/dist\/test\/(?!web\/every-route|contract\/examples)[\w/-]+\.test\.js/g));
    await project.npm('types');
    const ran = await run('node_modules/mocha/bin/mocha.js', ...tests).catch((error) => error);
    expect(ran.stdout.split(/^ {2}\d+ passing/m)[1], ran.stdout).to.not.include('failing');
  });
});
