import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Pool } from 'pg';
import { type App, type Dependencies, makeApp } from '../../src/app.ts';
import { type AuthDeps, authenticateRequest } from '../../src/auth/authenticate-request.ts';
import { LastUsed } from '../../src/auth/credential-lookup-sql.ts';
import { MaintenanceSwitch } from '../../src/auth/maintenance-sql.ts';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { type Database, type Db, type Rows, rowsBy } from '../../src/database/open.ts';
import type { Access, Actor, Caller } from '../../src/domain/actor.ts';
import { type RequestTime, requestTimeAt } from '../../src/domain/dates.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { type Log, openLog } from '../../src/log.ts';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import type { LimitStore } from '../../src/rate-limit/limit-store.ts';
import { memoryStore } from '../../src/rate-limit/limit-store.ts';
import { AddressLimit, storeOfRequests } from '../../src/rate-limit/request-limits.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { makeServer } from '../../src/server/server.ts';
import { readTlsFiles } from '../../src/server/tls-files.ts';
import { clock, later } from './clock.ts';
import { RestClient } from './rest-client.ts';
import { minimalJob } from './sample-jobs.ts';
import { openTestDatabase, patienceMs, type TestDatabase } from './test-database.ts';

export { clock, later };

interface SharedFixtures extends TestDatabase {
  readonly sanitizer: Sanitizer;
  readonly limitStore: LimitStore;
}

let emails = 0;

/** An e-mail address that no other test of this process has. */
export const freshEmail = (): string => `pessoa-${process.pid}-${++emails}@example.com`;

let shared: SharedFixtures | undefined;
let mainServer: Server | undefined;
const servers: Server[] = [];

function sharedFixtures(): SharedFixtures {
  if (!shared) throw new Error('the fixtures exist only while tests run');
  return shared;
}

export const db = (): Db => sharedFixtures().database.db;
/** The driver, for statements that are no model's. */
export const admission = (): Rows => sharedFixtures().database.admission;

export const pagesPool = (): Pool => sharedFixtures().database.pools.pages;

/** The database URL for a service process; undefined on the embedded database, which serves one service only. */
export const databaseUrl = (): string | undefined => sharedFixtures().databaseUrl;

/** The server of most tests: the real app with request limits that no test reaches. */
export function server(): Server {
  if (!mainServer) throw new Error('the fixtures exist only while tests run');
  return mainServer;
}

const sessionSecrets = ['only-for-tests-and-long-enough-1234'];
const silent: Log = openLog('silent');
/** Limits that no test reaches. */
const unlimited = { REQUESTS_PER_MINUTE: '1000000', FORMS_PER_MINUTE: '1000000', IP_REQUESTS_PER_MINUTE: '1000000' };

/** Another app on the same database; `settings` are environment variables. */
export async function startApp(settings: Record<string, string> = {}, own: OwnParts = {}): Promise<Server> {
  return (await startWholeApp(settings, own)).server;
}

type OwnParts = Partial<
  Pick<
    Dependencies,
    'log' | 'sanitizer' | 'observe' | 'database' | 'limitStore' | 'clock' | 'sessionSecrets' | 'queueWaitMs'
  >
> & {
  /** Replaces all three connections to the database. */
  readonly db?: Db;
};

/** The same, with `settle`: waits for everything that is written after a response. */
export async function startWholeApp(
  settings: Record<string, string> = {},
  { db: ownDb, ...own }: OwnParts = {},
): Promise<{ server: Server; app: App; settle: () => Promise<void> }> {
  const { database, sanitizer, limitStore } = sharedFixtures();
  const config = readConfig({ ...unlimited, ...settings });
  const app = makeApp({
    config,
    database: ownDb ? everywhere(ownDb) : database,
    sanitizer,
    // The companies of another database have the same ids.
    limitStore: ownDb ? memoryStore(60) : limitStore,
    log: silent,
    clock: clock.now,
    sessionSecrets,
    queueWaitMs: patienceMs,
    ...own,
  });
  const started = makeServer(config, app, config.tls && readTlsFiles(config.tls));
  await once(started.listen(0, config.host), 'listening');
  servers.push(started);
  return { server: started, app, settle: () => app.flush() };
}

/** One connection to the database for everything. */
export function everywhere(db: Db): Dependencies['database'] {
  const connections = { db, admission: rowsBy(db), pages: db };
  return {
    ...connections,
    connectionsFor: async () => connections,
    nodes: async () => ({ all: [], missing: [] }),
  };
}

export interface CompanyOptions {
  readonly name?: string;
  readonly plan?: string | null;
  readonly verified?: boolean;
  readonly approved?: boolean;
  readonly autoPublish?: boolean;
}

/** A company for one test, isolated from all others. */
export class TestCompany {
  readonly id: bigint;
  #secrets = new Map<string, Promise<string>>();

  constructor(id: bigint) {
    this.id = id;
  }

  /** The secret of a credential of that kind, issued on first use. */
  secret(environment: Environment, access: Access): Promise<string> {
    const kind = `${environment} ${access}`;
    const known = this.#secrets.get(kind);
    if (known !== undefined) return known;
    const issued = this.issue(environment, access).then(({ secret }) => secret);
    this.#secrets.set(kind, issued);
    return issued;
  }

  issue(environment: Environment, access: Access, days = 365): Promise<{ credentialId: bigint; secret: string }> {
    return issueCredential(actionContext(), { companyId: this.id, environment, access, days, label: 'test' });
  }

  /** The secret of a credential that has been revoked, or has just expired. */
  async ended(environment: Environment, how: 'revokedAt' | 'expiresAt'): Promise<string> {
    const { credentialId: id, secret } = await this.issue(environment, 'read');
    await db().credential.updateMany({ where: { companyId: this.id, id }, data: { [how]: clock.now() } });
    return secret;
  }

  async writer(environment: Environment = 'sandbox', at: Server = server()): Promise<RestClient> {
    return new RestClient(at, environment, await this.secret(environment, 'write'));
  }

  async reader(environment: Environment = 'sandbox', at: Server = server()): Promise<RestClient> {
    return new RestClient(at, environment, await this.secret(environment, 'read'));
  }
}

/** The context of an operation that the operator, or another actor, runs on the tests' database. */
export const actionContext = (actor: Actor = { kind: 'operator' }): Context => ({
  db: db(),
  sanitizer: sharedFixtures().sanitizer,
  clock: clock.now,
  ...requestTimeAt(clock.now(), 'Europe/Lisbon'),
  actor,
});

/** What authentication needs, on one database, without a limit that a test reaches. */
export const authOn = (database: Pick<Database, 'admission' | 'connectionsFor'>): AuthDeps => ({
  database,
  addressLimit: new AddressLimit(1_000_000),
  maintenance: new MaintenanceSwitch(database.admission),
  lastUsed: new LastUsed(database, silent),
});

/** The caller of a request with this secret. */
export function callerBy(auth: AuthDeps, environment: Environment, secret: string, time: RequestTime): Promise<Caller> {
  const client = { environment, isSecure: true, address: '127.0.0.1', authorization: [`Bearer ${secret}`] };
  return authenticateRequest(auth, client, time, () => undefined);
}

/** The caller of a company's requests. */
export async function callerOf(company: TestCompany, environment: Environment): Promise<Caller> {
  const auth = authOn(sharedFixtures().database);
  const caller = await callerBy(auth, environment, await company.secret(environment, 'write'), actionContext());
  await auth.lastUsed.flush();
  return caller;
}

const newAccount = () => ({ email: freshEmail(), passwordHash: 'none', createdAt: clock.now() });

export async function administratorActor() {
  const { id } = await db().administrator.create({ data: newAccount() });
  return { kind: 'administrator', id } as const;
}

/** A person of a company. */
export async function memberActor(companyId: bigint, role: 'main' | 'sub' = 'main') {
  const { id } = await db().user.create({ data: { ...newAccount(), companyId, role } });
  return { kind: 'user', id, companyId, role } as const;
}

const ordinary = { name: 'Oficina Exemplo', plan: 'Especial', verified: true, approved: true, autoPublish: false };

export async function newCompany(options: CompanyOptions = {}): Promise<TestCompany> {
  const { approved: productionApproved, plan, ...facts } = { ...ordinary, ...options };
  const { companyId } = await createCompany(actionContext(), { ...facts, productionApproved, plan: plan ?? undefined });
  return new TestCompany(companyId);
}

/** A job of a new company, that company's client, and how operations and pages name the job. */
export async function newJob(environment: Environment = 'production', fields: object = {}, key?: string) {
  const acme = await newCompany();
  const writer = await acme.writer(environment);
  const id: number = (await writer.create({ ...minimalJob, ...fields }, key)).body.data.id;
  const ref = { companyId: acme.id, environment, jobId: BigInt(id) };
  const statusOf = async (): Promise<string> => (await writer.get(`/jobs/${id}`)).body.data.status;
  const paths = { path: `/jobs/${environment}/${id}`, adminPath: `/companies/${acme.id}/${environment}/jobs/${id}` };
  return { acme, writer, id, ref, statusOf, ...paths };
}

// Root hooks: mocha runs the first and the last once, around all files.
before(async function openWorld() {
  const own = await openTestDatabase();
  const limitStore = storeOfRequests(own.database);
  const sanitizer = new Sanitizer({ timeoutMs: patienceMs });
  // Starts now, so that the first test that needs it does not wait.
  void sanitizer.warm();
  shared = { ...own, sanitizer, limitStore };
  mainServer = await startApp();
});

afterEach(async () => {
  clock.aheadMs = 0;
  // Failed sign-ins of all tests come from one address.
  await shared?.database.db.rateLimit.deleteMany();
});

after(async function closeWorld() {
  for (const started of servers) {
    started.close();
    started.closeAllConnections();
  }
  await shared?.sanitizer.close();
  await shared?.close();
});
