import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../src/context.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { requestTimeAt } from '../../src/domain/dates.ts';
import { createCompany } from '../../src/operations/companies/people/create-company.ts';
import { issueCredential } from '../../src/operations/credentials/people/issue-credential.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { freePort } from '../helper/free-port.ts';
import { ServiceProcess } from '../helper/service-process.ts';
import { createServerDatabase } from '../helper/test-database.ts';
import type { Outcome } from './fault.ts';
import { PrivatePostgres } from './private-postgres.ts';

/** A database for one fault. */
export interface Place {
  /** The settings with which the service finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens it, even beside a running service. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** Beside the database that DATABASE_URL names, or on the PostgreSQL of this machine. */
export async function serverPlace(prefix?: string): Promise<Place> {
  const { url, drop } = await createServerDatabase(prefix);
  await migrateServer(url);
  return placeAt(url, drop);
}

/** An existing, migrated database. */
export const placeAt = (url: string, remove: () => Promise<void>): Place => ({
  env: { DATABASE_URL: url },
  open: () => openDatabase({ databaseUrl: url, dataDir: ':memory:' }),
  remove,
});

/** A folder for the embedded database. */
export async function folderPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'vaga-fault-'));
  const dataDir = join(folder, 'data');
  return {
    env: { DATA_DIR: dataDir },
    open: () => openDatabase({ dataDir, join: true }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Settings without request limits. */
export const unlimited = { REQUESTS_PER_MINUTE: '1000000000', IP_REQUESTS_PER_MINUTE: '1000000000' };

/** Settings for a service that has so many MiB: Node gives its heap half of what a unit or container may take. */
export const withinMemory = (mib: number) => ({ NODE_OPTIONS: `--max-old-space-size=${mib / 2}` });

/** The service under attack. It always has one address, and one company whose plan has no posting limit. */
export class Subject {
  readonly origin: string;
  /** A production credential with write access. */
  readonly token: string;
  readonly companyId: bigint;
  readonly place: Place;
  readonly #env: Readonly<Record<string, string>>;
  #service: ServiceProcess | undefined;

  private constructor(place: Place, port: number, company: { companyId: bigint; token: string }, env = {}) {
    this.place = place;
    this.origin = `http://127.0.0.1:${port}`;
    this.companyId = company.companyId;
    this.token = company.token;
    this.#env = { ...unlimited, NODE_ENV: 'production', PORT: String(port), ...place.env, ...env };
  }

  /** Creates the company and starts the service; removes the database if that fails. */
  static async start(place: Place, env: Readonly<Record<string, string>> = {}): Promise<Subject> {
    try {
      const company = await withStore(place, makeCompany);
      const subject = new Subject(place, await freePort(), company, env);
      await subject.start();
      return subject;
    } catch (error) {
      await place.remove();
      throw error;
    }
  }

  async start(): Promise<void> {
    await this.restart({});
  }

  /** Starts the service again with other settings. */
  async restart(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    this.#service = await ServiceProcess.listening({ ...this.#env, ...env });
    return this.#service;
  }

  get service(): ServiceProcess {
    if (!this.#service) throw new Error('the service was not started');
    return this.#service;
  }

  /** Ends the process as a crash would. */
  async kill(): Promise<void> {
    this.#service?.signal('SIGKILL');
    await this.#service?.ended();
  }

  /** Sends SIGTERM and waits for the process to end. */
  stop(): ReturnType<ServiceProcess['ended']> {
    return this.service.stop();
  }

  /** Ends the process and removes the database. */
  async remove(): Promise<void> {
    await this.kill();
    await this.place.remove();
  }
}

/** Opens the database for one piece of work. */
export async function withStore<T>(place: Place, work: (store: Database) => Promise<T>): Promise<T> {
  const store = await place.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A service on a PostgreSQL server of its own, which may be stopped or frozen. Throws Skipped without PostgreSQL's programs. */
export async function onPrivatePostgres(
  work: (postgres: PrivatePostgres, subject: Subject) => Promise<Outcome>,
): Promise<Outcome> {
  const postgres = await PrivatePostgres.make();
  try {
    await migrateServer(postgres.url);
    const subject = await Subject.start(placeAt(postgres.url, () => postgres.remove()));
    try {
      return await work(postgres, subject);
    } finally {
      await subject.remove();
    }
  } finally {
    await postgres.remove();
  }
}

export const operatorOf = ({ db }: Database): Context => ({
  db,
  sanitizer: new Sanitizer(),
  clock: () => new Date(),
  ...requestTimeAt(new Date(), 'Europe/Lisbon'),
  actor: { kind: 'operator' },
});

export interface MadeCompany {
  readonly companyId: bigint;
  /** Credentials with write access, of production and of the sandbox. */
  readonly token: string;
  readonly sandbox: string;
}

/** A company without a posting limit. */
export async function makeCompany(store: Database): Promise<MadeCompany> {
  const ctx = operatorOf(store);
  const facts = { verified: true, productionApproved: true, autoPublish: true };
  const { companyId } = await createCompany(ctx, { name: 'Oficina Exemplo', plan: 'Especial', ...facts });
  const issue = async (environment: 'sandbox' | 'production') =>
    (await issueCredential(ctx, { companyId, environment, access: 'write', days: 30, label: 'fault' })).secret;
  return { companyId, token: await issue('production'), sandbox: await issue('sandbox') };
}

export type Form = Readonly<Record<string, string>>;

/** What a form of a page sends beside what a person types. */
export const hiddenIn = (page: string): Form =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );

/** Signs a person in to the dashboard of a running service; the cookie of the session. */
export async function signIn(origin: string, email: string, password: string): Promise<string> {
  const address = `${origin}/dashboard/sign-in`;
  const form = await fetch(address);
  const answer = await fetch(address, {
    method: 'POST',
    headers: { Cookie: cookieOf(form), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...hiddenIn(await form.text()), email, password }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`the sign-in answered ${answer.status}`);
  return cookieOf(answer);
}

const cookieOf = ({ headers }: Response): string => headers.get('set-cookie')?.split(';')[0] ?? '';
