import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { connectionTo } from '../../src/database/embedded.ts';
import { socketFolderIn } from '../../src/database/embedded-lock.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { PrivateCitus } from '../faults/private-citus.ts';
import { EditedProject } from '../helper/edited-project.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { linkIn, PageClient, textOf } from '../helper/page-client.ts';
import { follow, recipeIn } from '../helper/recipe.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
  readonly details: Record<string, unknown>;
}

const recipes = [
  ['src/contract/README.md', 'Add a field'],
  ['src/contract/README.md', 'Add an operation'],
  ['src/contract/README.md', 'Add a resource'],
  ['src/operations/README.md', 'Add a page or a command'],
  ['src/README.md', 'Add a setting'],
  ['prisma/README.md', 'Add a table'],
] as const;

/**
 * An operation in front of those of the second resource, of its noun and with a method of theirs, keys that the noun does not fit, and another
 * field that refers to the regions.
 */
const beside = [
  {
    file: 'openapi.yaml',
    place: 'above',
    at: 'directions: {',
    text: '        home_region: { type: integer, minimum: 1, maximum: 2147483647, nullable: true, x-references: districts, description: Where it began. }',
  },
  { file: 'src/web/texts/pt/locations.json', place: 'below', at: '{', text: '  "Home region": "Região de origem",' },
  {
    file: 'openapi.yaml',
    place: 'above',
    at: '/locations:',
    text: `  /locations/{id}/copies:
    parameters: [{ name: id, in: path, required: true, x-names: location, description: The \`id\` of a location., example: 73012, schema: { type: integer, format: int64, minimum: 1 } }]
    post: { operationId: copyLocation, tags: [Account], summary: Copy a location, description: Copies a location.,
      x-scope: locations:write, x-mcp: { name: copy_location, title: Copy a location, description: Copies a location., readOnly: false, destructive: false, idempotent: false, openWorld: false },
      responses: { "204": { description: It is copied. }, "404": { $ref: "#/components/responses/NoLocation" } } }`,
  },
  {
    file: 'openapi.yaml',
    place: 'in place of',
    at: 'example: porto-1,',
    text: '        example: porto-1, schema: { type: string, minLength: 1, maxLength: 128, pattern: "^[A-Za-km-z0-9._:-]{1,128}$" } }],',
  },
  {
    file: 'src/operations/locations/api/locations.ts',
    place: 'above',
    at: 'export const getLocation',
    text: `export async function copyLocation(ctx: ApiContext, { path }: Input<'copyLocation'>): Promise<Reply<'copyLocation'>> {
  await locations.get(ctx, path.id);
  return { status: 204 };
}`,
  },
  {
    file: 'test/database/every-call.ts',
    place: 'above',
    at: 'withdrawJob: async',
    text: "  copyLocation: (client) => client.send('POST', '/locations/1/copies'),",
  },
  { npm: ['generate'] },
] as const;

describe('the recipes, followed word for word in one copy of the project', () => {
  let project: EditedProject;
  let service: ServiceProcess;
  let DATA_DIR: string;
  let [token, administrator, main] = ['', '', ''];

  before(async () => {
    project = await EditedProject.copy(join(ownFolder(), 'project'), { withTests: true });
    for (const [page, heading] of recipes) await follow(project, await recipeIn(page, heading));
    await follow(project, beside);
    expect(await project.mistakes()).to.equal('');
    DATA_DIR = join(ownFolder(), 'data');
    service = await ServiceProcess.start(
      { DATA_DIR, PROCESS_NAME: 'first', REQUESTS_PER_MINUTE: '1000' },
      'API reference:',
      project.folder,
    );
    token = /sandbox {5}(\S+)/.exec(service.output)?.[1] ?? '';
    administrator = /admin@example.com {2}(\S+)/.exec(service.output)?.[1] ?? '';
    main = /main@example.com {2,}(\S+)/.exec(service.output)?.[1] ?? '';
  });
  after(() => service?.stop());

  /** What a command of the operator prints. */
  async function ops(...words: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, DATA_DIR };
    const run = promisify(execFile)(process.execPath, ['dist/src/cli/ops.js', ...words], { cwd: project.folder, env });
    return (await run).stdout;
  }

  async function ask(
    method: string,
    path: string,
    { body, ...headers }: { readonly body?: unknown; readonly [header: string]: unknown } = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const request = { method, headers: { Authorization: `Bearer ${token}`, ...sent, ...(headers as object) } };
    const response = await fetch(`${service.address}/sandbox/v1${path}`, {
      ...request,
      ...(body !== undefined && { body: text }),
    });
    const json = response.status === 204 ? {} : await response.json();
    return { status: response.status, headers: response.headers, ...json, details: json.error?.details };
  }

  it('a field is stored and returned', async () => {
    const sent = { body: { ...minimalJob, openings: 3 }, 'Idempotency-Key': 'openings' };
    expect((await ask('POST', '/jobs', sent)).data).to.include({ openings: 3 });
  });

  it('an operation answers over REST and MCP', async () => {
    expect((await ask('GET', '/job-total')).data).to.equal(1);
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
    expect(await ops(...words)).to.equal('Company 1 is renamed.\n');
  });

  it('a setting is read', () => {
    expect(service.output).to.match(/"name":"first".*"listening"/);
  });

  it('a table is there, and its rows are in the company’s export', async () => {
    const client = new pg.Client(connectionTo(socketFolderIn(DATA_DIR)));
    await client.connect();
    await client.query(`INSERT INTO company_notes (company_id, text, created_at) VALUES (1, 'Ligou', now())`);
    await client.end();
    expect(await ops('company', 'export', '--company', '1')).to.include('"record":"note"');
  });

  describe('a second resource', () => {
    let keys = 0;
    const create = (body: unknown, key = `k${++keys}`) => ask('POST', '/locations', { body, 'Idempotency-Key': key });

    it('is created once for each key, with its address and its ETag', async () => {
      const body = { name: 'Porto', district_id: 13, home_region: 11, rent_min: 10.5 };
      const made = await create(body, 'once');
      expect(made.status).to.equal(201);
      const { id, updated_at, created_at, ...fields } = made.data;
      const unset = { directions: null, opens_on: null, rent_max: null };
      expect(fields).to.deep.equal({ ...body, ...unset, rent_min: '10.50' });
      expect([created_at, made.headers.get('etag')]).to.deep.equal([updated_at, `"${id}/${updated_at}"`]);
      expect(made.headers.get('location')).to.match(new RegExp(`/sandbox/v1/locations/${id}$`));
      const again = await create({ district_id: 13, rent_min: 10.5, home_region: 11, name: 'Porto' }, 'once');
      expect([again.status, again.headers.get('idempotent-replayed'), again.data]).to.deep.equal([
        200,
        'true',
        made.data,
      ]);
      const other = await create({ ...body, name: 'Faro' }, 'once');
      expect([other.status, other.details]).to.deep.equal([
        409,
        { reason: 'idempotency_key', differing_fields: ['name'] },
      ]);
      expect((await create({ name: 'Porto', colour: 'red' }, 'once')).status).to.equal(409);
      const several = await Promise.all(['a', 'b', 'c', 'd'].map(() => create({ name: 'Beja' }, 'at-once')));
      expect(several.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 201]);
      expect(new Set(several.map(({ data }) => data.id)).size).to.equal(1);
    });

    it('shares keys with jobs: the key of one is none of the other', async () => {
      const job = {
        title: 'Eletricista',
        body: 'Obras.',
        contact_instructions: 'CV.',
        category_id: 303,
        district_id: 13,
      };
      const sent = { body: { ...job, application_method: 'system' } };
      expect((await ask('POST', '/jobs', { ...sent, 'Idempotency-Key': 'job' })).status).to.equal(201);
      expect((await create({ name: 'Braga' }, 'job')).status).to.equal(409);
      expect((await create({ name: 'Braga' }, 'site')).status).to.equal(201);
      expect((await ask('POST', '/jobs', { ...sent, 'Idempotency-Key': 'site' })).status).to.equal(409);
    });

    it('refuses what breaks the rules of its fields, as a job does', async () => {
      const before = (await ask('GET', '/locations')).meta.total;
      const wrong = {
        name: 'a\u0000b',
        district_id: 99,
        home_region: 98,
        directions: '<script>alert(1)</script>',
        opens_on: '2020-01-01',
        rent_min: 5.001,
        rent_max: 4,
      };
      const { status, details } = await create(wrong);
      expect([status, Object.keys(details).sort()]).to.deep.equal([422, Object.keys(wrong).sort()]);
      for (const name of ['', ' \u200b', '\ud800', 7, null, 'x'.repeat(81), token])
        expect((await create({ name })).status, JSON.stringify(name)).to.equal(422);
      for (const body of ['{"name":', '[]', '"x"', '{"name":"a","name2":1}'])
        expect((await create(body)).status).to.be.within(400, 422);
      expect((await ask('GET', '/locations')).meta.total).to.equal(before);
    });

    it('is read, changed in the version that was read, and deleted', async () => {
      const { data, headers } = await create({
        name: 'Évora',
        rent_max: 20,
        directions: '<p onclick="x">Rua <b>1</b></p>',
      });
      expect(data.directions).to.equal('<p>Rua <b>1</b></p>');
      const [path, tag] = [`/locations/${data.id}`, headers.get('etag') ?? ''];
      expect((await ask('GET', path)).data).to.deep.equal(data);
      const same = await ask('PATCH', path, { body: { name: 'Évora', rent_max: 20 }, 'If-Match': tag });
      expect(same.data).to.deep.equal(data);
      const changed = await ask('PATCH', path, { body: { name: 'Beja', district_id: 2 }, 'If-Match': tag });
      expect(changed.data).to.deep.include({
        name: 'Beja',
        district_id: 2,
        rent_max: '20.00',
        created_at: data.created_at,
      });
      const late = await ask('PATCH', path, { body: { name: 'Lisboa' }, 'If-Match': tag });
      const current = changed.headers.get('etag');
      expect([late.status, late.details]).to.deep.equal([412, { reason: 'changed', current_etag: current }]);
      const between = await ask('PATCH', path, { body: { rent_min: 21 } });
      expect([between.status, Object.keys(between.details)]).to.deep.equal([422, ['rent_min']]);
      expect((await ask('DELETE', path, { 'If-Match': tag })).status).to.equal(412);
      expect((await ask('DELETE', path, { 'If-Match': current })).status).to.equal(204);
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect((await ask(method, path, method === 'PATCH' ? { body: { wrong: 1 } } : {})).details).to.deep.equal({
          reason: 'location',
        });
      for (const id of ['9223372036854775808', 'abc', '0', '-1', '1.5'])
        expect((await ask('GET', `/locations/${id}`)).status, id).to.equal(404);
    });

    it('is changed as a job is: beside a value that is older than its rule, and refused with every fault at once', async () => {
      const { data } = await create({ name: 'Silves' });
      const path = `/locations/${data.id}`;
      const client = new pg.Client(connectionTo(socketFolderIn(DATA_DIR)));
      await client.connect();
      const name = 'Silves'.repeat(20);
      await client.query('UPDATE locations SET name = $1 WHERE id = $2', [name, data.id]);
      await client.end();
      const changed = await ask('PATCH', path, { body: { name, rent_max: 9 } });
      expect([changed.status, changed.data?.rent_max]).to.deep.equal([200, '9.00']);
      const wrong = { name: `${name}x`, rent_min: 10, district_id: 99 };
      const refused = await ask('PATCH', path, { body: wrong });
      expect([refused.status, Object.keys(refused.details).sort()]).to.deep.equal([422, Object.keys(wrong).sort()]);
      expect((await ask('PATCH', path, { body: { name, colour: 'red' } })).status).to.equal(422);
      expect((await ask('PATCH', '/locations/9000', { body: { name: '' } })).status).to.equal(404);
    });

    it('is published and refused in words that are not about jobs', async () => {
      const openapi = await (await fetch(`${service.address}/openapi.json`)).json();
      const texts = ['description', 'summary', 'x-pattern-message', 'message'];
      const left = ['example', 'examples', 'job_id', 'idempotency_keys'];
      const ofJobs = (part: unknown, name: string): string[] => {
        if (typeof part === 'string') return texts.includes(name) && /(?<!`)\bjobs?\b/i.test(part) ? [part] : [];
        if (typeof part !== 'object' || part === null) return [];
        const { $ref, ...own } = part as { $ref?: string };
        const path = $ref?.split('/').slice(1) ?? [];
        const found = $ref === undefined ? own : path.reduce((whole, key) => whole[key], openapi);
        return Object.entries(found).flatMap(([key, inner]) => (left.includes(key) ? [] : ofJobs(inner, key)));
      };
      const paths = Object.entries(openapi.paths).filter(([path]) => path.startsWith('/locations'));
      expect(paths.flatMap(([path, methods]) => ofJobs(methods, path))).to.deep.equal([]);
      const client = await connectClient(`${service.address}/sandbox/mcp`, token);
      const tools = (await client.listTools()).tools.filter(({ name }) => name.includes('location'));
      expect(tools.flatMap((tool) => ofJobs(tool, tool.name))).to.deep.equal([]);
      await client.close();
      const { data } = await create({ name: 'Sines' });
      for (const { details } of [
        await create({ name: 'Sines' }, 'null'),
        await ask('PATCH', `/locations/${data.id}`, { body: { name: 'Sines' }, 'If-Match': 'abc' }),
        await ask('PATCH', `/locations/${data.id}`, { body: { rent_min: 1.001, district_id: 99 } }),
      ])
        expect(JSON.stringify(details)).to.not.match(/\bjob|active/i);
    });

    it('is created, changed and deleted by people, to whom the contract’s parameters do not apply', async () => {
      const tenant = ['--company', '1', '--environment', 'sandbox'];
      const file = join(ownFolder(), 'location.json');
      writeFileSync(file, '{"name":"Tavira"}');
      const made = JSON.parse(await ops('location', 'create', ...tenant, '--file', file, '--json'));
      const id = made.location_id;
      const own = ['--id', String(id), ...tenant];
      expect((await ask('GET', `/locations/${id}`)).data.name).to.equal('Tavira');
      writeFileSync(file, '{"name":"Loulé"}');
      await ops('location', 'update', ...own, '--file', file);
      expect((await ask('GET', `/locations/${id}`)).data.name).to.equal('Loulé');
      await ops('location', 'delete', ...own);
      expect((await ask('GET', `/locations/${id}`)).status).to.equal(404);
    });

    it('is listed in pages', async () => {
      const { meta } = await ask('GET', '/locations?per_page=1&page=2');
      expect(meta).to.deep.include({ current_page: 2, per_page: 1, last_page: meta.total });
      expect((await ask('GET', '/locations?page=99')).data).to.deep.equal([]);
    });

    it('has tools that do the same', async () => {
      const client = await connectClient(`${service.address}/sandbox/mcp`, token);
      const call = async (name: string, given: object) =>
        (await client.callTool({ name, arguments: { ...given } })).structuredContent as {
          response: { data: { id: number } };
        };
      const { response } = await call('create_location', { location: { name: 'Viseu' }, idempotency_key: 'mcp' });
      expect((await create({ name: 'Viseu' }, 'mcp')).data).to.deep.equal(response.data);
      const refused = await call('create_location', {
        location: { name: 'Viseu', district_id: 13, home_region: 98 },
        idempotency_key: 'mcp-98',
      });
      expect(refused).to.have.nested.property(
        'error.details.home_region[0]',
        'must be the id of a region; see list_regions',
      );
      const read = await call('get_location', { id: response.data.id });
      expect(read.response.data).to.deep.equal(response.data);
      await client.close();
    });

    it('its pages stay in the environment that was chosen, and say at once all that is wrong', async () => {
      const page = new PageClient('company', service.address);
      await page.signIn('main@example.com', main);
      const path = '/locations/create';
      const typed = { environment: '', 'location.name': '', 'location.rent_min': '1.500', 'location.rent_max': 'mil' };
      const wrong = await page.submit(await page.get(path), path, typed);
      const marked = [...wrong.document.querySelectorAll('[aria-invalid]')].map((one) => one.getAttribute('name'));
      expect(marked).to.have.members(Object.keys(typed));
      const link = linkIn(await page.get('/locations?environment=sandbox'), 'main a[href*="/create"]');
      const form = await page.get(link);
      const chosen = await page.submit(form, path, { environment: 'sandbox', 'location.name': '' });
      for (const one of [form, chosen])
        expect(linkIn(one, 'article > a')).to.equal('/dashboard/locations?environment=sandbox');
      const made = (await page.submit(form, path, { 'location.name': 'Faro' })).headers.location ?? '';
      expect(made).to.match(/^\/dashboard\/locations\/sandbox\/\d+$/);
      const open = await page.get(`${made}/update`);
      const deleted = await page.submit(await page.get(`${made}/delete`), `${made}/delete`);
      expect(deleted.headers.location).to.equal('/dashboard/locations?environment=sandbox');
      expect(textOf(await page.follow(deleted))).to.include('Deleted: Faro.');
      const gone = await page.submit(open, `${made}/update`, { 'location.name': 'Beja' });
      expect([gone.status, textOf(gone, 'pre')]).to.deep.equal([404, 'Beja']);
      expect(textOf(gone, '[role=alert]')).to.include('Location deleted by main@example.com');
    });

    it('is whole for ops doctor --restored, unless its sequence would give an id again', async () => {
      await create({ name: 'Olhão' });
      const rows = async () => {
        const printed = await ops('doctor', '--restored', '--json').catch(({ stdout }) => stdout);
        return JSON.parse(printed).checks.flatMap(({ check, found }: Record<string, string>) =>
          check === 'rows' ? [found] : [],
        );
      };
      expect(await rows()).to.deep.equal(['nothing is missing']);
      const client = new pg.Client(connectionTo(socketFolderIn(DATA_DIR)));
      await client.connect();
      const { rows: before } = await client.query('SELECT last_value AS last FROM locations_id_seq');
      await client.query(`SELECT setval('locations_id_seq', 1, false)`);
      expect(await rows()).to.deep.equal(['1 sequences behind their table']);
      await client.query(`SELECT setval('locations_id_seq', $1)`, [before[0].last]);
      await client.end();
    });

    it('is in the log of requests, in the export, and deleted by the reset of the sandbox with its keys', async () => {
      const { data, headers } = await create({ name: 'Lagos', home_region: 8 }, 'again');
      const exported = (await ops('company', 'export', '--company', '1')).split('\n');
      expect(exported.find((line) => line.includes('"record":"location"') && line.includes('Lagos'))).to.include(
        `"id":${data.id}`,
      );
      expect(exported.find((line) => line.includes('Lagos'))).to.include('"home_region":8');
      const id = headers.get('x-request-id') ?? '';
      const logged = ['request', 'list', '--company', '1', '--environment', 'sandbox', '--text', id, '--json'];
      // The log is written every second.
      let entry = '';
      for (let times = 0; times < 100 && !entry.includes('resource_id'); times++) entry = await ops(...logged);
      expect(JSON.parse(entry).requests[0]).to.deep.include({
        resource: 'location',
        resource_id: data.id,
        job_id: null,
      });
      const { total } = (await ask('GET', '/locations')).meta;
      const page = new PageClient('company', service.address);
      await page.signIn('main@example.com', main);
      expect(textOf(await page.get('/sandbox'))).to.include('all jobs, other resources and idempotency keys');
      const printed = JSON.parse(await ops('sandbox', 'reset', '--company', '1', '--word', 'RESET', '--json'));
      expect(printed).to.include({ locations_removed: total });
      expect(textOf(await page.get('/activity'))).to.include(
        `Sandbox reset by Administrator: jobs: ${printed.jobs_removed}, keys: ${printed.keys_removed}, locations: ${total}`,
      );
      expect(await ops('sandbox', 'reset', '--company', '1', '--word', 'RESET')).to.equal(
        'The sandbox was reset. Jobs deleted: 0, other resources: 0, idempotency keys: 0.\n',
      );
      expect((await ask('GET', '/locations')).data).to.deep.equal([]);
      expect((await create({ name: 'Lagos' }, 'again')).status).to.equal(201);
    });
  });

  /** Runs the tests that the recipes name: of pages, forms, commands, the audit trail, texts in two languages, bounded statements and tables. */
  async function runTests(script: string, DATABASE_KIND?: string): Promise<void> {
    const pages = recipes.map(([page]) => readFileSync(join(packageRoot, page), 'utf8')).join('\n');
    const files = new Set(pages.match(/(?<=npm test -- .*)dist\/test\/[\w/.-]+\.test\.js/g));
    const { PATH, HOME, DATABASE_URL } = process.env;
    const env = { PATH, HOME, DATABASE_URL, DATABASE_KIND };
    const run = promisify(execFile)('npm', ['run', '-s', script, '--', ...files], { cwd: project.folder, env });
    const { stdout } = await run.catch(({ stdout }) => Promise.reject(new Error(stdout)));
    expect(stdout).to.match(/\b\d{3} passing/);
  }

  it('the tests that the recipes name pass', () => runTests('test'));

  it('those of them that depend on the database pass on Citus', async function () {
    if (!PrivateCitus.isInstalled) this.skip();
    await runTests('test:citus', 'Citus');
  });
});
