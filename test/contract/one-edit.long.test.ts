import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { EditedProject } from '../helper/edited-project.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const run = promisify(execFile);
/** One field of each kind, as a developer would add it to `JobInput` in openapi.yaml, with names and values that SQL or YAML could misread. */
const newFields = `
        references: { type: string, maxLength: 40, nullable: true, description: "The shift pattern, as plain text." }
        limit: { type: integer, minimum: 1, maximum: 99, nullable: true, description: Number of openings. }
        total:
          { type: number, minimum: 0, maximum: 999999.99, x-decimals: 2, nullable: true, description: "In EUR, two decimals." }
        user: { type: boolean, x-default: true, description: Whether a car is provided. }
        end: { type: string, format: date, x-label: First day, nullable: true, description: The first day of work. }
        seniority: { type: string, nullable: true, enum: [junior, senior, "40h, flexible", "1", "on: site", "c #1", null], description: The seniority. }
        sent:
          { type: array, maxItems: 10, items: { type: string, maxLength: 100 }, nullable: true, description: "Perks, one each." }
        finish: { type: string, format: date, x-at-least: end, nullable: true, deprecated: true, description: "The last day, not before end." }
        floors: { type: array, maxItems: 3, uniqueItems: true, items: { type: integer, minimum: -1, maximum: 9 }, nullable: true, description: Floors. }
        workplace:
          { type: object, additionalProperties: false, required: [city], nullable: true, description: Where the work is done.,
            properties: { city: { type: string, minLength: 2, maxLength: 20 }, on_site: { type: boolean } } }
        spoken:
          { type: array, maxItems: 2, nullable: true, description: "Languages, one each.",
            items: { type: object, additionalProperties: false, required: [code], properties: { code: { type: string, maxLength: 9 }, level: { type: string, enum: [b1, c2] } } } }
        place: { type: string, x-html: true, maxLength: 5000, nullable: true, description: "About the team, as HTML." }
        actor: { type: string, maxLength: 40, nullable: true, description: Who plays. }
        secret_hash: { type: string, maxLength: 40, nullable: true, description: A dish. }
`;

const values = {
  references: 'Noites',
  limit: 3,
  total: 1500.5,
  user: false,
  end: '2027-01-04',
  seniority: 'senior',
  sent: ['Ginásio', 'Formação'],
  finish: '2027-01-04',
  floors: [0, -1],
  workplace: { on_site: true, city: 'Porto' },
  spoken: [{ code: 'pt', level: 'c2' }, { code: 'en' }],
  place: '<p>Equipa <b>pequena</b>.</p>',
  actor: 'operator: nobody',
  secret_hash: 'Bacalhau',
};
const seniorities = ['junior', 'senior', '40h, flexible', '1', 'on: site', 'c #1'];
const shown = { ...values, total: '1500.50' };
const absent = { ...Object.fromEntries(Object.keys(values).map((name) => [name, null])), user: true };
const patch = { limit: 4, references: null, user: true, seniority: '40h, flexible', sent: [] };
const changed = { ...shown, ...patch };

/** Compiles only if the types of the contract and of the typed client have the new fields. */
const usage = `
import type { Client } from '../src/client/client.ts';
import type { Job, JobInput } from '../src/client/contract.ts';

type Seniority = 'junior' | 'senior' | '40h, flexible' | '1' | 'on: site' | 'c #1' | null;

export async function useNewFields(client: Client, input: JobInput): Promise<[string | null, Seniority]> {
  const job: Job = await client.createJob({ ...input, limit: 2, user: false, seniority: 'junior', sent: ['a'] });
  return [job.total, job.seniority];
}
`;

/** An operation as a developer would add it: a path, and one file. */
const newPath = `  /job-count:
    get:
      operationId: countJobs
      tags: [Jobs]
      summary: Count the jobs
      description: The number of jobs of the company.
      x-scope: jobs:read
      x-mcp:
        name: count_jobs
        title: Count jobs
        description: Counts the jobs of the company.
        readOnly: true
        destructive: false
        idempotent: true
        openWorld: false
      parameters:
        - { name: order, in: query, description: D., example: asc, schema: { type: string, enum: [asc, desc], default: asc } }
        - { name: X-Step, in: header, description: D., example: 1, schema: { type: integer, default: 2 } }
      responses:
        "200":
          description: The number.
          content:
            application/json:
              schema:
                type: object
                required: [data]
                properties:
                  data:
                    type: object
                    description: The count.
                    required: [total]
                    properties: {
                        total: { type: integer, description: How many. },
                        order: { type: string, description: D. },
                        step: { type: integer, description: D. } }
              examples: { count: { summary: Two jobs, value: { data: { total: 2 } } } }
`;

const newOperation = `import type { ApiContext } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { listJobs } from './jobs-sql.ts';

/** Counts the company's jobs. */
export async function countJobs(ctx: ApiContext, { query, header }: Input<'countJobs', 'order'>): Promise<Reply<'countJobs'>> {
  const [order, step]: [string, number] = [query.order, header['X-Step']];
  const { total } = await listJobs(ctx.db, ctx.actor.tenant, { page: 1, perPage: 1 }, undefined, ctx);
  return { status: 200, body: { data: { total, order, step } } };
}
`;

const newFilter = `        - { name: parent_id, in: query, description: D., example: 1, schema: { type: integer } }\n`;
const newProperty = `        published_at: { type: string, format: date-time, nullable: true, description: D. }\n`;

const newUsage = `import { createClient } from '../src/client/client.ts';

export const countThem = async (baseUrl: string, token: string): Promise<number> =>
  (await createClient({ baseUrl, token }).countJobs()).total;
`;

// The test reads fields that today's types do not have.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any;

describe('one edit of the contract', () => {
  let folder: string;
  let service: ServiceProcess;
  /** The files that the new fields changed, before the operation was added. */
  let written: string[];
  /** The compiler's output for an operation without its file. */
  let refused: string;
  let token: string;
  let password: string;
  let oldId: number;

  let project: EditedProject;
  const edited = (...path: string[]): string => project.path(...path);

  before(async () => {
    folder = ownFolder();
    project = await EditedProject.copy(join(folder, 'project'), { withTests: false });
    service = await ServiceProcess.start({ DATA_DIR: join(folder, 'data') }, 'API reference:');
    token = /sandbox {5}(\S+)/.exec(service.output)?.[1] ?? '';
    password = /main@example.com {3}(\S+)/.exec(service.output)?.[1] ?? '';
    oldId = (await ask('POST', '/jobs', minimalJob, 'before')).body.data.id;
    expect(await service.stop()).to.equal(0);
    await addFields();
    await addOperation();
    // One compilation serves both edits, because it is the slowest step. `npm start` beside `npm test` builds twice.
    const waited = (await Promise.all([project.build(), project.build()])).map(({ stderr }) =>
      stderr.includes('Waiting for another build'),
    );
    expect(waited).to.have.members([false, true]);
    service = await ServiceProcess.start({ DATA_DIR: join(folder, 'data') }, '"listening"', edited());
  });

  after(() => service?.stop());

  async function addFields(): Promise<void> {
    await project.edit((yaml) => yaml.replace(/\s*\n {4}JobPatch:\n/, (end) => newFields.trimEnd() + end));
    await writeFile(join(folder, 'before'), '');
    const { stdout } = await project.npm('generate');
    const isCommitted = ['-not', '-path', './generated/prisma/*', '-not', '-path', './dist/*'];
    const found = await run('find', ['.', '-type', 'f', '-newer', '../before', ...isCommitted], { cwd: edited() });
    written = found.stdout
      .trim()
      .replace(/\d{14}_\w+/, 'added')
      .split('\n');
    for (const name of Object.keys(values)) expect(stdout).to.include(`field added: ${name}`);
    expect(stdout).to.match(/migration: prisma\/migrations\/\d{14}_add_references_limit\w*$/m);
    await writeFile(edited('test', 'new-fields.ts'), usage);
  }

  async function addOperation(): Promise<void> {
    await project.edit((yaml) => yaml.replace('\n  /jobs/{id}:\n', `\n${newPath}\n  /jobs/{id}:\n`));
    expect(await project.generate())
      .to.include('operation added: countJobs')
      .and.include('tool added: countJobs');
    // A filter and a property of the returned job that the code does not handle yet.
    const contract = await readFile(edited('openapi.yaml'), 'utf8');
    await project.edit((yaml) =>
      yaml.replace(/\n {6}operationId: listCategories\n[\s\S]*? {6}parameters:\n/, `$&${newFilter}`),
    );
    await project.edit((yaml) => yaml.replace(/\n {4}Job:\n[\s\S]*? {6}properties:\n/, `$&${newProperty}`));
    await project.generate();
    refused = await project.mistakes();
    await writeFile(edited('openapi.yaml'), contract);
    await writeFile(edited('src/operations/jobs/count-jobs.ts'), newOperation);
    await project.generate();
    await writeFile(edited('test', 'new-operation.ts'), newUsage);
  }

  async function ask(method: string, path: string, body?: object, key = ''): Promise<{ status: number; body: Body }> {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key && { 'Idempotency-Key': key }),
    };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${service.address}/sandbox/v1${path}`, sent);
    return { status: response.status, body: await response.json() };
  }

  /** The data that a tool returns. */
  async function call(name: string, given: Record<string, unknown> = {}): Promise<Body> {
    const client = await connectClient(`${service.address}/sandbox/mcp`, token);
    const { structuredContent } = await client.callTool({ name, arguments: given });
    await client.close();
    return (structuredContent as Body).response.data;
  }

  /** Runs a program that imports this from the edited project, and returns the printed result. */
  async function printed(imported: string, result: string): Promise<unknown> {
    const program = `${imported}\nconsole.log(JSON.stringify(${result}));`;
    const { stdout } = await project.node('--input-type=module', '-e', program);
    return JSON.parse(stdout);
  }

  it('changes generated files only, a second generate has nothing to write, and it breaks nobody', async () => {
    const generated = 'client.ts contract.json mcp-tools.json openapi.json openapi.ts reference.json stored-fields.ts'
      .split(' ')
      .map((name) => `generated/${name}`);
    const others = 'openapi.yaml prisma/schema.prisma prisma/functions.sql prisma/migrations/added/migration.sql'.split(
      ' ',
    );
    expect(written).to.have.members([...generated, ...others].map((name) => `./${name}`));
    // The check may ask for another version.
    const gate = await project.npm('check:breaking').catch((error) => error as { stdout: string });
    expect(gate.stdout)
      .to.include('breaks nobody')
      .and.match(/^added: requestBody.limit: .*POST \/jobs/m);
    // Fails if a second generate had anything to write.
    await project.npm('check:generated');
  });

  it('a file that is only renamed makes the next command build', async () => {
    const script = pathToFileURL(edited('scripts/build.mjs')).href;
    const { isFresh } = (await import(script)) as { readonly isFresh: () => boolean };
    const [name, other] = [edited('test', 'new-fields.ts'), edited('test', 'renamed.ts')];
    expect(isFresh()).to.equal(true);
    await rename(name, other);
    expect(isFresh()).to.equal(false);
    await rename(other, name);
    expect(isFresh()).to.equal(true);
  });

  it('earlier jobs have null, or the default', async () => {
    const { status, body } = await ask('GET', `/jobs/${oldId}`);
    expect(status).to.equal(200);
    expect(body.data).to.include(absent);
    expect((await ask('POST', '/jobs', minimalJob, 'before')).status).to.equal(200);
  });

  /** The returned job, by protocol. */
  const overRest = {
    create: async (job: object, key: string) => (await ask('POST', '/jobs', job, key)).body.data,
    read: async (id: number) => (await ask('GET', `/jobs/${id}`)).body.data,
    list: async () => (await ask('GET', '/jobs')).body.data,
    change: async (id: number, job: object) => (await ask('PATCH', `/jobs/${id}`, job)).body.data,
  };
  const overMcp: typeof overRest = {
    create: (job, key) => call('create_job', { idempotency_key: key, job }),
    read: (id) => call('get_job', { id }),
    list: () => call('list_jobs'),
    change: (id, job) => call('update_job', { id, job }),
  };

  for (const [protocol, caller] of Object.entries({ REST: overRest, MCP: overMcp }))
    it(`${protocol} creates, reads, lists, replays and changes them`, async () => {
      const job = { ...minimalJob, ...values };
      const created = await caller.create(job, protocol);
      expect(created).to.deep.include(shown);
      expect(await caller.read(created.id)).to.deep.include(shown);
      expect((await caller.list())[0]).to.deep.include(shown);
      expect((await caller.create(job, protocol)).id).to.equal(created.id);
      const conflict = await ask('POST', '/jobs', { ...job, limit: 5 }, protocol);
      expect(conflict.body.error.details.differing_fields).to.deep.equal(['limit']);
      expect(await caller.change(created.id, { limit: 4 })).to.deep.include({ ...shown, limit: 4 });
      expect(await caller.change(created.id, patch)).to.deep.include(changed);
    });

  it('the page of a job shows them with their labels, and the tools describe them', async () => {
    const { id } = await overRest.create({ ...minimalJob, ...values }, 'shown');
    const page = new PageClient('company', service.address);
    await page.signIn('main@example.com', password);
    const text = textOf(await page.get(`/jobs/sandbox/${id}`));
    const labels = ['Limit', 'Total', 'User', 'First day', 'Seniority', 'Place', 'Workplace'];
    const inside = ['City: Porto', 'On site: Yes', 'Code: pt; Level: C2', 'Code: en'];
    for (const words of [...labels, ...inside, '1500.50', 'Senior', 'Equipa pequena']) expect(text).to.include(words);
    const client = await connectClient(`${service.address}/sandbox/mcp`, token);
    const create = (await client.listTools()).tools.find(({ name }) => name === 'create_job');
    expect(JSON.stringify(create?.inputSchema)).to.include('"seniority"').and.include('About the team, as HTML.');
    await client.close();
    const file = await page.submit(await page.get('/account'), '/export');
    const lines = (file.text || String(file.body))
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    const job = lines.find((line) => line.record === 'job' && line.id === id && line.environment === 'sandbox');
    expect(job).to.include({ actor: values.actor, secret_hash: values.secret_hash });
  });

  it('the form that changes a job has them, also parts and lists of parts, and writes what is typed', async () => {
    const { id } = await overRest.create({ ...minimalJob, ...values }, 'edited');
    const page = new PageClient('company', service.address);
    await page.signIn('main@example.com', password);
    const path = `/jobs/sandbox/${id}/update`;
    const form = await page.get(path);
    for (const words of ['Limit', 'From 1 to 99.', 'Workplace', 'City', 'On site', 'Spoken 1', 'Level', 'C #1'])
      expect(textOf(form), words).to.include(words);
    const typed = {
      ...{
        references: 'Dias',
        limit: '5',
        total: '1600,5',
        user: 'true',
        end: '2027-02-01',
        finish: '',
        floors: '1\r\n2',
      },
      ...{ seniority: 'on: site', sent: 'Ginásio\r\nCarro', place: 'Uma\r\nduas', 'workplace.city': 'Braga' },
      ...{ 'workplace.on_site': '', 'spoken.0.code': '', 'spoken.0.level': '', 'spoken.1.level': 'b1' },
    };
    const named = Object.fromEntries(Object.entries(typed).map(([name, text]) => [`job.${name}`, text]));
    expect((await page.submit(form, path, { ...named, 'job.spoken.1.level': '', 'job.limit': '100' })).status).to.equal(
      422,
    );
    expect((await page.submit(await page.get(path), path, named)).status).to.equal(303);
    expect(await overRest.read(id)).to.deep.include({
      ...{
        references: 'Dias',
        limit: 5,
        total: '1600.50',
        user: true,
        end: '2027-02-01',
        finish: null,
        floors: [1, 2],
      },
      ...{
        seniority: 'on: site',
        sent: ['Ginásio', 'Carro'],
        place: '<p>Uma<br>duas</p>',
        workplace: { city: 'Braga' },
      },
      spoken: [{ code: 'en', level: 'b1' }],
    });
  });

  it('every limit holds, HTML is sanitized, and the accepted values of an enumeration are listed', async () => {
    const wrong = {
      references: 'x'.repeat(41),
      limit: 100,
      total: 1.234,
      user: null,
      end: '2027-02-30',
      seniority: 'chief',
      sent: Array(11).fill('x'),
      floors: [1, 1, 10],
      workplace: { city: 'P', town: 'Porto' },
      spoken: [{ code: 'pt' }, { code: 7, level: 'a0' }],
      place: `<p>${'x'.repeat(5000)}</p>`,
    };
    const { status, body } = await ask('POST', '/jobs', { ...minimalJob, ...wrong }, 'wrong');
    expect(status).to.equal(422);
    expect(Object.keys(body.error.details)).to.have.members(Object.keys(wrong));
    const { floors, workplace, spoken } = body.error.details;
    expect(floors).to.have.members([
      'must have each item once: items 1 and 2 are the same',
      'item 3 must be at most 9',
    ]);
    expect(workplace).to.have.members([
      'town is not a known field; known are city, on_site',
      'city must have at least 2 characters',
    ]);
    expect(spoken).to.deep.equal([
      'item 2 code must be of type string, not number',
      'item 2 level must be one of b1, c2',
    ]);
    const backwards = await ask('PATCH', `/jobs/${oldId}`, { end: '2027-02-01', finish: '2027-01-31' });
    expect(backwards.body.error.details).to.deep.equal({ finish: ['must be at least end, which is 2027-02-01'] });
    const html = '<p onclick="x()">Olá<script>alert(1)</script></p>';
    const cleaned = await ask('PATCH', `/jobs/${oldId}`, { place: html });
    expect(cleaned.body.data.place).to.equal('<p>Olá</p>');
    expect((await ask('GET', '/options')).body.data.seniorities).to.deep.equal(seniorities);
  });

  it('the typed client sends and returns them', async () => {
    const imported = `import { createClient } from './dist/src/client/index.js';
      import { useNewFields } from './dist/test/new-fields.js';`;
    const client = `createClient({ baseUrl: '${service.address}', token: '${token}' })`;
    const job = JSON.stringify({ ...minimalJob, total: 10 });
    expect(await printed(imported, `await useNewFields(${client}, ${job})`)).to.deep.equal(['10.00', 'junior']);
  });

  it('an operation is a path and one file: endpoint, tool, method of the typed client, section of the docs', async () => {
    expect(refused).to.include("Cannot find module '../src/operations/count-jobs.ts'");
    const { status, body } = await ask('GET', '/job-count');
    expect(status).to.equal(200);
    const { total } = body.data;
    expect(total).to.equal((await ask('GET', '/jobs')).body.meta.total);
    const imported = `import { countThem } from './dist/test/new-operation.js';`;
    expect(await printed(imported, `await countThem('${service.address}', '${token}')`)).to.equal(total);
    expect(body.data).to.deep.equal({ total, order: 'asc', step: 2 });
    expect(await call('count_jobs')).to.deep.equal(body.data);
    expect(await (await fetch(`${service.address}/docs/reference.json`)).text()).to.include('Count the jobs');
    expect(await (await fetch(`${service.address}/llms.txt`)).text()).to.include('count_jobs');
  });

  it('a needed change of code is a compile error that names it: a missing function, an unread filter, an unfilled property', () => {
    const mistakes = refused.split('\n').filter((line) => line.includes('error TS'));
    // The new fields alone compile.
    expect(mistakes, refused).to.have.length(3);
    expect(refused).to.include("Cannot find module '../src/operations/count-jobs.ts'");
    expect(refused).to.include('no function reads the parameter parent_id of listCategories');
    expect(refused).to.include('published_at');
  });
});
