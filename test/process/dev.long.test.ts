import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { EditedProject } from '../helper/edited-project.ts';
import { freePort } from '../helper/free-port.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { follow, recipeIn } from '../helper/recipe.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';

/** A field that is added beside the recipe's. */
const shifts = '        shifts: { type: integer, nullable: true, minimum: 1, maximum: 9, description: Shifts. }\n';

describe('npm run dev', () => {
  let project: EditedProject;
  let dev: ServiceProcess;
  let token = '';

  before(async () => {
    project = await EditedProject.copy(join(ownFolder(), 'project'), { withTests: false });
    await project.commit();
    const env = { PORT: String(await freePort()), DATA_DIR: join(ownFolder(), 'data') };
    dev = await ServiceProcess.start(env, 'API reference:', project.folder, 'scripts/dev.mjs');
    token = /sandbox {5}(\S+)/.exec(dev.output)?.[1] ?? '';
  });
  after(() => dev?.stop());

  /** The status of a create with this field, or undefined while the service restarts. */
  async function create(field: string, key = field): Promise<number | undefined> {
    const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ ...minimalJob, [field]: 3 });
    const sent = fetch(`${dev.address}/sandbox/v1/jobs`, { method: 'POST', headers, body });
    return sent.then(({ status }) => status).catch(() => undefined);
  }

  it('a field of the contract is accepted once it is saved, on the same data', async () => {
    expect(await create('openings')).to.equal(422);
    const [field] = await recipeIn('src/contract/README.md', 'Add a field');
    await follow(project, field ? [field] : []);
    await project.edit((yaml) => yaml.replace('        openings: {', (line) => shifts + line));
    await dev.says(/field added: shifts[\s\S]*"listening"/);
    expect(await create('openings')).to.equal(201);
    expect(await create('shifts')).to.equal(201);
  });

  it('a mistake in the contract is printed with its line, and the service goes on until it is mended; a field that was just added is renamed', async () => {
    const yaml = await readFile(project.path('openapi.yaml'), 'utf8');
    const mistaken = yaml.replace(
      '        openings: { type: integer,',
      '        openings: { type: integer, x-colour: red,',
    );
    await writeFile(project.path('openapi.yaml'), mistaken);
    const line = yaml.slice(0, yaml.indexOf('        openings: {')).split('\n').length;
    await dev.says(new RegExp(`openapi.yaml:${line}:\\d+ JobInput.openings x-colour: unknown`));
    expect(await create('openings')).to.equal(200);
    await writeFile(project.path('openapi.yaml'), yaml.replace('        shifts: {', '        turns: {'));
    await dev.says(/field added: turns[\s\S]*in place of \d{14}_add_[\s\S]*"listening"/);
    expect(await create('turns')).to.equal(201);
    expect(await create('shifts', 'new')).to.equal(422);
  });

  it('an error of the compiler is printed with its line, and the service goes on, also with files that are renamed, new or an editor’s own', async () => {
    const file = 'src/operations/jobs/api/create-job.ts';
    const source = await readFile(project.path(file), 'utf8');
    const save = async (text: string, name = file) => {
      await writeFile(project.path('saved'), text);
      await rename(project.path('saved'), project.path(name));
    };
    await mkdir(project.path('src/added'));
    await save(`const broken = ;\n${source}`);
    await dev.says(new RegExp(`${file}:1:15`));
    expect(await create('openings')).to.equal(200);
    await save(`export const wrong: number = 'text';\n`, 'src/added/wrong.ts');
    // The new file is noticed, and the error is still there.
    await dev.says(new RegExp(`${file}:1:15`));
    await save(source);
    await dev.says(/"listening"/);
    const stops = () => dev.output.split('"stopping"').length;
    const before = stops();
    for (const name of ['.wrong.ts.swp', 'wrong.ts~', '4913']) await writeFile(project.path('src/added', name), '');
    await dev.says(/src.added.wrong.ts[(:]1[,:]14.*TS2322/);
    expect(await create('openings')).to.equal(200);
    await save(`${source}\n`);
    await dev.says(/"stopping"[\s\S]*"listening"/);
    expect(stops()).to.equal(before + 1);
    expect(await create('openings')).to.equal(200);
  });

  it('a generator that has changed since it was loaded, such as by a checkout, writes nothing until dev is started again', async () => {
    const [script, yaml] = [project.path('scripts/generate/tools.ts'), project.path('openapi.yaml')];
    const [source, contract] = [await readFile(script, 'utf8'), await readFile(yaml, 'utf8')];
    await writeFile(script, `${source}\n`);
    await writeFile(
      yaml,
      contract.replace('        openings: {', (line) => shifts + line),
    );
    await dev.says(/scripts\/ has changed, .* start it again/);
    expect(await create('openings')).to.equal(200);
    await writeFile(script, source);
    await writeFile(yaml, `${contract}\n`);
    await dev.says(/"listening"/);
    expect(dev.output).to.not.match(/has changed[\s\S]*field added/);
  });

  it('the database that DATABASE_URL_FILE names is migrated', async function () {
    if (!process.env.DATABASE_URL) return this.skip();
    const database = await createServerDatabase();
    const file = join(ownFolder(), 'database-url');
    await writeFile(file, database.url);
    await dev.stop();
    dev = ServiceProcess.begin({ DATABASE_URL_FILE: file }, project.folder, 'scripts/dev.mjs');
    await dev.says(/"listening"|^vaga: /m);
    expect(dev.errors).to.equal('');
    await dev.stop();
    await database.drop();
  });
});
