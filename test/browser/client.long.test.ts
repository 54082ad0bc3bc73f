import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { examplesOf, installPackedClient } from '../client/packed-client.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { describeInBrowser } from './browser.ts';

const imports = {
  '@vaga/client': '/installed/@vaga/client/src/client/index.js',
  'openapi-fetch': '/installed/openapi-fetch/dist/index.mjs',
};
/** A page as a developer would write it, beside the files of the installed package. */
const page = (program: string) => `<!doctype html><title>Client</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
const lines = [];
const console = { log: (...values) => lines.push(values.join(' ')), error: (...values) => lines.push(values.join(' ')) };
${program}
document.title = 'done';
document.body.textContent = lines.join('\\n');
</script>`;

const withErrors = `
const failure = (call) => call.then(() => 'none', ({ name, status, reason }) => [name, status, reason].join(' '));
const [job] = (await client.listJobs()).data;
const etag = etagOf(await client.getJob(job.id));
await client.updateJob(job.id, { title: 'Outra' });
console.log(await failure(client.updateJob(job.id, { title: 'Outra vez' }, { ifMatch: etag })));
console.log(await failure(client.getJob(job.id, { signal: AbortSignal.abort() })));
console.log(String(await client.withdrawJob(job.id)), (await client.getJob(job.id)).status);
`;

describeInBrowser('the typed client in a browser', (visitor) => {
  let folder = '';
  let secret: string;

  before(async () => {
    folder = await installPackedClient();
    secret = await (await newCompany()).secret('sandbox', 'write');
  });

  // Skipped without a browser.
  after(async () => folder && rm(folder, { recursive: true, force: true }));

  /** Runs a program in a page of the address and returns what it prints. Requests to the API reach the service. */
  async function run(program: string, address: string): Promise<string[]> {
    const tab = visitor().page;
    await tab.route(`${address}/program`, (route) => route.fulfill({ contentType: 'text/html', body: page(program) }));
    await tab.route(`${address}/installed/**`, async (route) => {
      const path = new URL(route.request().url()).pathname.replace('/installed/', '');
      const body = await readFile(join(folder, 'node_modules', path), 'utf8');
      await route.fulfill({ contentType: 'text/javascript', body });
    });
    await tab.goto(`${address}/program`);
    await tab.waitForFunction(`document.title === 'done'`);
    return ((await tab.locator('body').textContent()) ?? '').split('\n');
  }

  const withClient = (program: string): string => `
    import { createClient, etagOf } from '@vaga/client';
    const client = createClient({ baseUrl: '${addressOf(server())}', token: '${secret}', retries: 0 });
    ${program}`;

  it('creates, changes, lists, refuses and withdraws in a page of the service', async () => {
    const address = addressOf(server());
    const [example = ''] = await examplesOf('src/client/README.md', address);
    const environment = `const process = { env: { VAGA_TOKEN: '${secret}' } };`;
    const [changed, ...others] = await run(environment + example, address);
    expect(changed).to.match(/^\d+ Eletricista de obras$/);
    expect(others).to.deep.equal([]);
    expect(await run(withClient(withErrors), address)).to.deep.equal([
      'VagaError 412 changed',
      'AbortError  ',
      'undefined inactive',
    ]);
  });

  it('reaches nothing from a page of another site', async () => {
    const elsewhere = addressOf(server()).replace('127.0.0.1', 'localhost');
    const program = `console.log(await client.getAccount().catch(({ name, status }) => name + ' ' + status));`;
    expect(await run(withClient(program), elsewhere)).to.deep.equal(['VagaError 0']);
  });
});
