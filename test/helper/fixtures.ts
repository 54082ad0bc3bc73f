import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { type App, type Dependencies, makeApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import type { Db } from '../../src/database/open.ts';
import type { Access, Actor } from '../../src/domain/actor.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { requestTimeAt } from '../../src/domain/request-time.ts';
import { type Log, openLog } from '../../src/log.ts';
import { createCompany } from '../../src/operations/companies/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { type LimitBackend, openLimitBackend } from '../../src/rate-limit/limit-backend.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { makeServer } from '../../src/server/server.ts';
import { readTlsFiles } from '../../src/server/tls-files.ts';
import { RestClient } from './rest-client.ts';
import { openTestStore, type TestStore } from './test-database.ts';

/** The clock of every app under test; a test that moves it puts it back. */
export const clock = { now: (): Date => new Date(Date.now() + clock.aheadMs), aheadMs: 0 };

interface SharedFixtures extends TestStore {
  readonly sanitizer: Sanitizer;
  readonly limitBackend: LimitBackend;
}

let shared: SharedFixtures | undefined;
let mainServer: Server | undefined;
const servers: Server[] = [];

function sharedFixtures(): SharedFixtures {
  if (!shared) throw new Error('the fixtures exist only while tests run');
  return shared;
}

export const db = (): Db => sharedFixtures().store.db;

/** The database for a process of the service; undefined where this run is on the embedded one, which no second service can join. */
export const databaseUrl = (): string | undefined => sharedFixtures().databaseUrl;

/** The server that most tests talk to: the real app with request limits out of the way. */
export function server(): Server {
  if (!mainServer) throw new Error('the fixtures exist only while tests run');
  return mainServer;
}

const sessionSecret = 'only-for-tests-and-long-enough-1234';
const silent: Log = openLog('silent');

/** Another app over the same database; `settings` are environment variables as an operator would set them. */
export async function startApp(settings: Record<string, string> = {}, own: OwnParts = {}): Promise<Server> {
  return (await startWholeApp(settings, own)).server;
}

type OwnParts = Partial<Pick<Dependencies, 'log' | 'sanitizer' | 'observe' | 'database'>> & {
  /** In place of all three ways to the database. */
  readonly db?: Db;
};

/** The same with what a stop awaits: all that is written off a request's path. */
export async function startWholeApp(
  settings: Record<string, string> = {},
  { db: ownDb, ...own }: OwnParts = {},
): Promise<{ server: Server; app: App; settle: () => Promise<void> }> {
  const { store, sanitizer, limitBackend } = sharedFixtures();
  const config = testConfig(settings);
  const app = makeApp({
    config,
    database: ownDb ? { db: ownDb, admission: ownDb, pages: ownDb } : store,
    sanitizer,
    limitBackend,
    log: silent,
    clock: clock.now,
    sessionSecret,
    ...own,
  });
  const started = makeServer(config, app, config.tls && readTlsFiles(config.tls));
  await listen(started, config.host);
  servers.push(started);
  return { server: started, app, settle: () => app.flush() };
}

/** Limits out of the way, and counts of its own: what other tests have spent at this address or in another run is not here. */
const testConfig = (settings: Record<string, string>): Config =>
  readConfig({
    REQUESTS_PER_MINUTE: '1000000',
    IP_REQUESTS_PER_MINUTE: '1000000',
    LIMITS_NAMESPACE: randomBytes(6).toString('hex'),
    ...settings,
  });

function listen(started: Server, host: string): Promise<void> {
  return new Promise((resolve) => {
    started.listen(0, host, resolve);
  });
}

export interface CompanyOptions {
  readonly name?: string;
  readonly plan?: string | null;
  readonly verified?: boolean;
  readonly approved?: boolean;
  readonly autoPublish?: boolean;
}

/** A company of its own for each test: nothing that another test does can be seen by it. */
export class TestCompany {
  readonly id: bigint;
  #secrets = new Map<string, Promise<string>>();

  constructor(id: bigint) {
    this.id = id;
  }

  /** The secret of this company's credential of that kind, issued at its first use. */
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
  ...requestTimeAt(clock.now(), 'Europe/Lisbon'),
  actor,
});

export async function newCompany(options: CompanyOptions = {}): Promise<TestCompany> {
  const {
    name = 'Oficina Exemplo',
    plan = 'Especial',
    verified = true,
    approved = true,
    autoPublish = false,
  } = options;
  const { companyId } = await createCompany(actionContext(), {
    name,
    plan: plan ?? undefined,
    verified,
    productionApproved: approved,
    autoPublish,
  });
  return new TestCompany(companyId);
}

// Loaded with the first test file that needs it; mocha runs these once, around all files.
before(async function openWorld() {
  const own = await openTestStore();
  const limitBackend = await openLimitBackend({ redisUrl: process.env.REDIS_URL }, own.store, silent);
  const sanitizer = new Sanitizer();
  // Ready long before the first test that needs it, also where this machine is busy with others.
  void sanitizer.warm();
  shared = { ...own, sanitizer, limitBackend };
  mainServer = await startApp();
});

after(async function closeWorld() {
  for (const started of servers) {
    started.close();
    started.closeAllConnections();
  }
  shared?.limitBackend.close();
  await shared?.sanitizer.close();
  await shared?.close();
});
