import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { migrateServer, readSchemaState } from '../../src/database/migrations.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { placeOf } from '../../src/database/place.ts';
import { listMigrations, packageRoot, readMigration, referenceSeed } from '../../src/database/prisma-folder.ts';
import { openLog } from '../../src/log.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { Readiness } from '../../src/telemetry/readiness.ts';
import { runInProcess } from '../cli/run-cli.ts';
import { makeCompany } from '../faults/subject.ts';
import { startWholeApp } from '../helper/fixtures.ts';
import { ownFolder } from '../helper/own-folder.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import { createServerDatabase, migrationsTable, onCitus, type ServerDatabase } from '../helper/test-database.ts';
import { fillTables } from './many-rows.ts';

const run = promisify(execFile);
const copied = ['categories', 'districts', 'plans'];
const small = ['allowed_districts', 'complimentary_grants', 'credentials', 'idempotency_keys', 'job_events', 'jobs'];
const spread = [
  ...copied.map((name) => `copied ${name} to every node`),
  'distributed companies by id',
  ...[
    ...small,
    'posting_usage',
    'request_log',
    'subscriptions',
    ...storedResources.map(({ resource }) => resource.table),
  ]
    .sort()
    .map((name) => `distributed ${name} by company_id`),
];

describe('npm run migrate on Citus', () => {
  let own: ServerDatabase;
  let client: pg.Client;

  before(function () {
    if (!onCitus) this.skip();
  });
  beforeEach(async () => {
    own = await createServerDatabase();
    client = new pg.Client(own.url);
    await client.connect();
  });
  afterEach(async () => {
    await client?.end();
    await own?.drop();
  });

  const migrate = async (root = packageRoot): Promise<string[]> => {
    const env = { PATH: process.env.PATH, DATABASE_URL: own.url };
    const { stdout } = await run(process.execPath, [join(root, 'dist/scripts/migrate.js')], { env });
    const lines = stdout.trim().split('\n');
    expect(lines.pop()).to.equal(`${placeOf({ databaseUrl: own.url, dataDir: '' })} is up to date`);
    return lines;
  };

  /** The tables as without Citus, filled with rows. */
  async function fillLocalTables(): Promise<void> {
    await client.query(migrationsTable);
    for (const name of await listMigrations()) {
      await client.query(await readMigration(name));
      const columns = 'id, checksum, migration_name, finished_at';
      await client.query(`INSERT INTO _prisma_migrations (${columns}) VALUES (gen_random_uuid(), '', $1, now())`, [
        name,
      ]);
    }
    await client.query(...(await referenceSeed({ again: true })));
    await fillTables(client, 20, 20);
  }

  it('distributes and prints each table once, even when several processes run', async () => {
    const outputs = await Promise.all([migrate(), migrate(), migrate()]);
    const [longest, ...others] = outputs.sort((a, b) => b.length - a.length);
    expect(longest).to.deep.equal([`applied ${(await listMigrations()).join(', ')}, functions.sql`, ...spread]);
    expect(others).to.deep.equal([[], []]);
    const sql = `SELECT DISTINCT colocation_id FROM citus_tables WHERE citus_table_type = 'distributed'`;
    const { rows } = await client.query(sql);
    expect(rows, 'a company’s rows are on one node').to.have.length(1);
  });

  it('keeps existing rows, leaves none on the coordinator, and keeps cascading deletes', async () => {
    await fillLocalTables();
    expect((await migrate()).slice(-spread.length)).to.deep.equal(spread);
    const count = async (table: string) =>
      (await client.query(`SELECT count(*)::int AS rows FROM ${table}`)).rows[0].rows;
    for (const table of ['companies', 'jobs', 'job_events']) {
      expect(await count(table), table).to.equal(20);
      const { rows } = await client.query('SELECT pg_relation_size($1)::int AS bytes', [table]);
      expect(rows, `rows of ${table} on the coordinator`).to.deep.equal([{ bytes: 0 }]);
    }
    await client.query('DELETE FROM companies WHERE id = 3');
    for (const table of ['companies', 'jobs', 'idempotency_keys']) expect(await count(table), table).to.equal(19);
    expect(await count('job_events'), 'which have no key').to.equal(20);
  });

  it('a database that is not fully distributed is refused at the start with one line', async () => {
    await fillLocalTables();
    const refusal = () =>
      openDatabase({ databaseUrl: own.url, dataDir: 'unused' }).then(String, (error) => error.message);
    expect(await refusal()).to.equal('Citus does not distribute the table categories: run npm run migrate');
    await migrate();
    await client.query('CREATE TABLE notes (company_id bigint, id bigserial, PRIMARY KEY (company_id, id))');
    expect(await refusal()).to.equal('Citus does not distribute the table notes: run npm run migrate');
    expect(await migrate()).to.deep.equal(['distributed notes by company_id']);
    expect(await readSchemaState(client)).to.deep.equal({ kind: 'current', newer: [] });
  });

  it('ops doctor --restored tells a whole copy from one that lacks rows of a node or of the coordinator', async () => {
    await migrate();
    const database = await openDatabase({ databaseUrl: own.url, dataDir: ':memory:' });
    const { server, settle } = await startWholeApp({}, { db: database.db });
    const { token } = await makeCompany(database);
    for (let n = 0; n < 2; n++)
      expect((await new RestClient(server, 'production', token).create(minimalJob)).status).to.equal(201);
    await settle();
    await database.close();
    const rows = async (of = 'rows'): Promise<string[]> => {
      const settings = { DATABASE_URL: own.url };
      const { stdout } = await runInProcess(['doctor', '--restored', '--json'], { settings });
      const { checks } = JSON.parse(stdout) as { checks: { check: string; found: string }[] };
      return checks.flatMap(({ check, found }) => (check === of ? [found] : []));
    };
    expect(await rows('schema')).to.deep.equal(['it has all keys and indexes of its migrations']);
    expect(await rows()).to.deep.equal(['nothing is missing']);
    const move = (by: number) =>
      client.query('SELECT success, result FROM run_command_on_workers($1)', [
        `SELECT setval('jobs_id_seq', last_value + ${by}) FROM jobs_id_seq`,
      ]);
    await move(-1);
    expect(await rows()).to.deep.equal(['1 sequences of workers behind their table']);
    await move(1);
    await client.query('DELETE FROM job_events');
    expect(await rows()).to.deep.equal(['2 jobs without the first event of their history']);
    await client.query('DELETE FROM audit_entries');
    expect(await rows()).to.include('2 credentials whose audit entry is gone');
    await client.query('ALTER TABLE jobs DROP CONSTRAINT jobs_category_id_fkey');
    expect(await rows('schema')).to.deep.equal(['the foreign key jobs_category_id_fkey of jobs is missing']);
    await client.query(`SELECT setval('companies_id_seq', 1, false)`);
    expect(await rows()).to.include('1 sequences behind their table');
  });

  it('ops doctor counts the connections to the coordinator for each worker too', async () => {
    await migrate();
    /** Of one process: those of other tests may be connected to the same server. */
    const connectionsFor = async (poolSize: number) => {
      const settings = { DATABASE_URL: own.url, DATABASE_POOL_SIZE: String(poolSize) };
      const { stdout } = await runInProcess(['doctor', '--json'], { settings });
      const [, processes, connections] = /(one|\d+) process(?:es)? may open (\d+) connections/.exec(stdout) ?? [];
      return Number(connections) / (processes === 'one' ? 1 : Number(processes));
    };
    const { rows } = await client.query(`SELECT current_setting('max_connections')::int AS max`);
    const poolSize = rows[0].max;
    expect(await connectionsFor(poolSize)).to.equal(poolSize + 8 + 2 * 4);
  });

  it('applies later migrations to distributed tables: a column, a constraint, a new table with a key, a function', async () => {
    await migrate();
    const later = ownFolder();
    for (const name of ['package.json', 'prisma', 'dist/openapi.yaml', 'dist/bin', 'dist/scripts'])
      await cp(join(packageRoot, name), join(later, name), { recursive: true });
    await symlink(join(packageRoot, 'node_modules'), join(later, 'node_modules'));
    for (const [name, sql] of Object.entries(laterMigrations)) {
      await mkdir(join(later, 'prisma/migrations', name));
      await writeFile(join(later, 'prisma/migrations', name, 'migration.sql'), sql);
    }
    expect(await migrate(later)).to.deep.equal([
      `applied ${Object.keys(laterMigrations).join(', ')}, functions.sql`,
      'distributed notes by company_id',
    ]);
    await client.query(`INSERT INTO companies (id, name) VALUES (7, 'Oficina')`);
    await client.query('INSERT INTO notes (company_id) VALUES (7)');
    expect((await client.query('SELECT count_notes(7)')).rows).to.deep.equal([{ count_notes: '1' }]);
    await client.query('DELETE FROM companies WHERE id = 7');
    expect((await client.query('SELECT FROM notes')).rows).to.deep.equal([]);
  });
});

const laterMigrations = {
  '20990101000000_notes': `
    ALTER TABLE "jobs" ADD COLUMN "note" TEXT NOT NULL DEFAULT '';
    ALTER TABLE "jobs" ADD CONSTRAINT "jobs_note_check" CHECK (length("note") < 9);
    CREATE TABLE "notes" (
      "company_id" BIGINT NOT NULL, "id" BIGSERIAL NOT NULL, CONSTRAINT "notes_pkey" PRIMARY KEY ("company_id", "id"));`,
  '20990101000000_notes_keys': `
    ALTER TABLE "notes" ADD CONSTRAINT "notes_company_id_fkey"
      FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
    CREATE FUNCTION count_notes(of_company bigint) RETURNS bigint LANGUAGE plpgsql AS $$
      BEGIN RETURN (SELECT count(*) FROM notes WHERE company_id = of_company); END $$;`,
};

type Node = Readonly<{ nodeid: number; groupid: number; port: number }>;

describe('connections by node of Citus', () => {
  let own: ServerDatabase;
  let client: pg.Client;
  let database: Database;
  let companyId: bigint;
  let node: Node;
  let toNode: TcpProxy;

  before(async function () {
    if (!onCitus) this.skip();
    own = await createServerDatabase();
    await migrateServer(own.url);
    client = new pg.Client(own.url);
    await client.connect();
    database = await openDatabase({ databaseUrl: own.url, dataDir: ':memory:' });
    ({ companyId } = await makeCompany(database));
    node = await nodeOf(companyId);
    toNode = await TcpProxy.to({ host: '127.0.0.1', port: node.port });
  });
  after(async () => {
    await database?.close();
    // Citus keeps asking its nodes until the database is gone.
    if (toNode) await moveNode(node.port);
    await client?.end();
    // Citus's own connections may take longer to end than PostgreSQL waits.
    await own?.drop().catch(() => own.drop());
    toNode?.close();
  });

  async function nodeOf(id: bigint): Promise<Node> {
    const { rows } = await client.query<Node>(
      `SELECT nodeid, groupid, nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
        WHERE shardid = get_shard_id_for_distribution_column('companies', $1::bigint)`,
      [id],
    );
    if (!rows[0]) throw new Error('the company is on no node');
    return rows[0];
  }

  const moveNode = (port: number) => client.query(`SELECT citus_update_node($1, '127.0.0.1', $2)`, [node.nodeid, port]);
  const isRead = async (): Promise<boolean> => {
    const { admission } = await database.connectionsFor(companyId);
    const rows = await admission.rows({ text: 'SELECT FROM companies WHERE id = $1', values: [companyId] });
    return rows.length === 1;
  };
  const state = () => new Readiness(database, openLog('silent')).state();

  async function becomes(expected: boolean): Promise<void> {
    while ((await isRead().catch(() => false)) !== expected) await sleep(50);
  }

  it('follow a node to another address', async () => {
    expect(await isRead()).to.equal(true);
    toNode.cut();
    await moveNode(toNode.port);
    await becomes(false);
    expect(await state()).to.deep.equal({ missing: [`node ${node.groupid}`] });
    await toNode.open();
    await becomes(true);
    expect(await state()).to.deep.equal({ missing: [] });
  });
});
