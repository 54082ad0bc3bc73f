import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { connectionTo } from '../../src/database/embedded.ts';
import { EditedProject } from '../helper/edited-project.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { follow, recipeIn } from '../helper/recipe.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { ServiceProcess } from '../helper/service-process.ts';

const number = (name: string, more = '') =>
  `        ${name}: { type: integer, minimum: 1, maximum: 99, nullable: true, description: A number.${more} }`;
const text = (name: string) =>
  `        ${name}: { type: string, minLength: 1, maxLength: 9, nullable: true, description: A text. }`;
const flag = (name: string, more: string) => `        ${name}: { type: boolean, ${more}, description: A flag. }`;

describe('a migration that is only in the working tree', () => {
  let project: EditedProject;
  let committed: string[];
  /** The fields that are not committed. */
  let own = '';
  let service: ServiceProcess | undefined;
  const DATA_DIR = join(ownFolder(), 'data');

  before(async () => {
    project = await EditedProject.copy(join(ownFolder(), 'project'), { withTests: false });
    committed = await migrations();
    await project.commit();
  });
  beforeEach(async () => {
    await project.git('reset', '--quiet', '--hard');
    await project.git('clean', '--quiet', '--force', '-d', 'prisma', 'generated');
    own = '';
  });
  after(() => service?.stop());

  const migrations = () => readdir(project.path('prisma', 'migrations'));
  /** The SQL of the migrations that were added. */
  async function added(): Promise<string[]> {
    const names = (await migrations()).filter((name) => !committed.includes(name)).sort();
    return Promise.all(
      names.map((name) => readFile(project.path('prisma', 'migrations', name, 'migration.sql'), 'utf8')),
    );
  }
  const columnsIn = (sql = '') => [...sql.matchAll(/COLUMN +"(\w+)"/g)].map(([, name]) => name);

  /** Gives JobInput these fields besides the committed ones, and generates. */
  async function generateWith(...fields: string[]): Promise<string> {
    const end = '\n    JobPatch:\n';
    await project.edit((yaml) => {
      const written = own === '' ? yaml : yaml.replace(own, '');
      own = fields.map((line) => `\n${line}`).join('');
      return written.replace(end, () => own + end);
    });
    return project.generate();
  }
  const refused = (...fields: string[]): Promise<string> =>
    generateWith(...fields).then(
      () => '',
      ({ message }) => message,
    );

  it('is made anew for a renamed, changed or further field, and goes with its last field, without --allow-data-loss', async () => {
    await generateWith(number('openings'));
    expect((await added()).map(columnsIn)).to.deep.equal([['openings']]);
    const said = await generateWith(number('vacancies'));
    expect((await added()).map(columnsIn)).to.deep.equal([['vacancies']]);
    expect(said).to.match(/^migration: prisma\/migrations\/\d{14}_add_vacancies, in place of \d{14}_add_openings$/m);
    await generateWith(text('vacancies'));
    await generateWith(text('vacancies'), flag('remote', 'nullable: true'));
    await generateWith(text('vacancies'), flag('remote', 'x-default: true'));
    const [sql, ...more] = await added();
    expect(more).to.deep.equal([]);
    expect(sql).to.include('"vacancies" TEXT').and.include('"remote" BOOLEAN NOT NULL DEFAULT true');
    await generateWith();
    expect(await added()).to.deep.equal([]);
    expect((await project.git('status', '--porcelain')).stdout).to.equal('');
  });

  it('is made anew with the keys of its new table, and fields of it and of jobs come, change and go', async () => {
    await generateWith(number('openings'));
    const resource = await recipeIn('src/contract/README.md', 'Add a resource');
    await follow(
      project,
      resource.filter((step) => 'file' in step && step.file === 'openapi.yaml'),
    );
    const said = await project.generate();
    expect(said).to.match(/^migration: prisma\/migrations\/\d{14}_\w+_keys, in place of \d{14}_add_openings$/m);
    /** The SQL of the table. Only its keys may follow, in a migration of their own. */
    const tableMade = async () => {
      const [tables = '', keys = '', ...more] = await added();
      expect(more).to.deep.equal([]);
      expect(keys)
        .to.include('FOREIGN KEY')
        .and.not.match(/CREATE TABLE|COLUMN/);
      return tables;
    };
    expect(await tableMade())
      .to.include('"opens_on" DATE')
      .and.include('COLUMN     "openings"');
    await project.edit((yaml) =>
      yaml.replace(/opens_on: \{.*/, 'opens_on: { type: boolean, nullable: true, description: Whether it is open. }'),
    );
    await project.generate();
    expect(await tableMade()).to.include('"opens_on" BOOLEAN');
    await project.edit((yaml) => yaml.replace(/\n +opens_on: \{.*/, ''));
    await project.generate();
    expect(await tableMade()).to.not.include('opens_on');
    await generateWith();
    expect(await tableMade()).to.not.match(/opens_on|openings/);
  });

  it('asks again for --allow-data-loss only if further data is lost', async () => {
    await project.edit((yaml) => yaml.replace(/\n {8}remote_policy:[\s\S]*?(?=\n {8}\w)/, ''));
    const first = await project.npm('generate').catch((error) => error);
    expect(first).to.include({ code: 1 });
    expect(first.stderr).to.include('--allow-data-loss').and.include('DROP COLUMN "remote_policy"');
    const { stdout } = await project.npm('generate', '--allow-data-loss');
    expect(stdout).to.include('field removed: remote_policy');
    const broken = await project.npm('check:breaking').catch((error) => error);
    expect(broken).to.include({ code: 1 });
    expect(broken.stdout + broken.stderr).to.include('remote_policy');
    await generateWith(number('openings'));
    await generateWith(number('vacancies'));
    const columns = (await added()).map((sql) => columnsIn(sql).sort());
    expect(columns).to.deep.equal([['remote_policy', 'vacancies']]);
  });

  it('refuses a required field, also if it was optional before', async () => {
    await generateWith(number('openings'));
    await project.edit((yaml) => yaml.replace(/(\n {4}JobInput:\n[\s\S]*? required: \[)/, '$1openings, '));
    const required = '        openings: { type: integer, minimum: 1, maximum: 99, description: A number. }';
    expect(await refused(required)).to.include('jobs from before the field was required may have no value');
  });

  it('stays if a migration written by hand follows it, or if it was edited', async () => {
    await generateWith(number('openings'));
    const [name = ''] = (await migrations()).filter((one) => !committed.includes(one));
    await project.edit((sql) => `${sql}\nSELECT 1;\n`, `prisma/migrations/${name}/migration.sql`);
    expect(await refused(number('vacancies'))).to.include('--allow-data-loss');
    await project.edit((sql) => sql.replace('\nSELECT 1;\n', ''), `prisma/migrations/${name}/migration.sql`);
    await project.edit(
      (schema) => schema.replace('model Company {', 'model Company {\n  motto String?'),
      'prisma/schema.prisma',
    );
    await project.npm('new-migration', 'add_motto');
    expect(await refused(number('vacancies'))).to.include('--allow-data-loss');
    expect((await added()).map(columnsIn)).to.deep.equal([['openings'], ['motto']]);
  });

  it('stays once a commit of any branch has it', async () => {
    await generateWith(number('openings'));
    await project.git('switch', '--quiet', '--create', 'other');
    await project.commit();
    await project.git('switch', '--quiet', '--detach');
    await project.git('reset', '--quiet', 'HEAD~1');
    expect(await refused(number('vacancies')))
      .to.include('--allow-data-loss')
      .and.include('DROP COLUMN "openings"');
    expect((await added()).map(columnsIn)).to.deep.equal([['openings']]);
    await project.git('branch', '--quiet', '-D', 'other');
    await generateWith(number('vacancies'));
    expect((await added()).map(columnsIn)).to.deep.equal([['vacancies']]);
  });

  it('is followed by a data folder that has applied any of its versions, and all its jobs stay', async () => {
    await generateWith(number('openings'), number('kept'), flag('remote', 'nullable: true'));
    service = await ServiceProcess.start({ DATA_DIR }, 'API reference:', project.folder, 'scripts/start.mjs');
    const token = /sandbox {5}(\S+)/.exec(service.output)?.[1] ?? '';
    const ask = async (method: string, path: string, body?: object) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': JSON.stringify(body).length.toString() }),
      };
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${service?.address}/sandbox/v1${path}`, sent);
      return { status: response.status, body: await response.json() };
    };
    const made = await ask('POST', '/jobs', { ...minimalJob, openings: 3, kept: 4 });
    expect(made.status).to.equal(201);
    await service.stop();

    await generateWith(number('vacancies'), number('kept'), flag('remote', 'nullable: true'));
    await generateWith(text('vacancies'), number('kept'), flag('remote', 'x-default: true'));
    service = await ServiceProcess.start({ DATA_DIR }, '"listening"', project.folder, 'scripts/start.mjs');
    const { openings: _, ...rest } = made.body.data;
    expect((await ask('GET', `/jobs/${rest.id}`)).body.data).to.deep.equal({
      ...rest,
      vacancies: null,
      remote: true,
    });
    const again = await ask('POST', '/jobs', { ...minimalJob, vacancies: 'three', kept: 5 });
    expect([again.status, again.body.data.vacancies]).to.deep.equal([201, 'three']);
    const client = new pg.Client(connectionTo(join(DATA_DIR, 'run')));
    await client.connect();
    const { rows } = await client.query('SELECT migration_name AS name FROM _prisma_migrations ORDER BY name');
    expect(rows.map(({ name }) => name)).to.deep.equal(
      (await migrations()).filter((name) => !name.includes('.')).sort(),
    );
    const columns = `SELECT FROM information_schema.columns WHERE table_name = 'jobs' AND column_name = 'openings'`;
    expect((await client.query(columns)).rowCount).to.equal(0);
    await client.end();
    await service.stop();
  });

  it('needs --allow-data-loss once it is committed, and without git', async () => {
    await generateWith(number('openings'));
    await rm(project.path('.git'), { recursive: true });
    expect(await refused(number('vacancies')))
      .to.include('--allow-data-loss')
      .and.include('DROP COLUMN "openings"');
    await project.commit();
    expect(await refused(number('vacancies')))
      .to.include('--allow-data-loss')
      .and.include('DROP COLUMN "openings"');
  });
});
