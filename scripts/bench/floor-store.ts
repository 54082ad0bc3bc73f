import pg from 'pg';
import { hashSecret, readSecret } from '../../src/domain/token.ts';
import { jobColumns } from './floor-columns.ts';
import {
  accountSql,
  categoriesSql,
  createSql,
  findCallerSql,
  findJobSql,
  findKeySql,
  type JobColumn,
  lists,
  names,
  updateSql,
  withdrawSql,
} from './floor-sql.ts';

/** Who calls, from one look-up. */
export interface Caller {
  readonly companyId: string;
  readonly companyName: string;
  readonly access: 'read' | 'write';
}

export interface JobRow {
  readonly id: string;
  readonly is_anonymous: boolean;
  /** All of the job but the name of its company, as JSON. */
  readonly job: string;
}

export interface AccountRow {
  readonly plan: string;
  readonly limit: number;
  readonly used: number;
  readonly start: string;
  readonly end: string;
}

/** A list goes as its JSON text, which the driver would make a PostgreSQL array of. */
const sentAs = (name: JobColumn, value: unknown): unknown =>
  jobColumns[name] === 'jsonb' && value != null ? JSON.stringify(value) : (value ?? null);

const uniqueViolation = '23505';

/** The statements of the floor: prepared once for each connection, one round trip each. */
export class FloorStore {
  readonly #pool: pg.Pool;

  constructor(connectionString: string) {
    // A date stays the text that PostgreSQL sends.
    pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
    this.#pool = new pg.Pool({ connectionString, max: 10 });
  }

  async findCaller(token: string): Promise<Caller | undefined> {
    const tenant = readSecret(token);
    if (tenant?.environment !== 'production') return undefined;
    return this.#first<Caller>('caller', findCallerSql, [tenant.companyId, Buffer.from(hashSecret(token))]);
  }

  findJob({ companyId }: Caller, id: string): Promise<JobRow | undefined> {
    return this.#first<JobRow>('job', findJobSql, [companyId, id]);
  }

  findKey({ companyId }: Caller, key: string): Promise<{ digest: string; jobId: string } | undefined> {
    return this.#first('key', findKeySql, [companyId, key]);
  }

  /** Answers undefined, and has changed nothing, where the key is taken. */
  async createJob(
    { companyId }: Caller,
    key: string,
    digest: string,
    body: Record<string, unknown>,
  ): Promise<JobRow | undefined> {
    const fields = names.map((name) => sentAs(name, name === 'salary_negotiable' ? (body[name] ?? false) : body[name]));
    try {
      return await this.#first<JobRow>('create', createSql, [companyId, key, digest, ...fields]);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return undefined;
      throw error;
    }
  }

  async listJobs({ companyId }: Caller, status: string | undefined, limit: number, offset: number) {
    const kind = status === undefined ? 'every' : 'ofStatus';
    const filter = status === undefined ? [] : [status];
    const [jobs, counts] = await Promise.all([
      this.#all<JobRow>(`list ${kind}`, lists[kind].page, [companyId, limit, offset, ...filter]),
      this.#first<{ total: number }>(`count ${kind}`, lists[kind].count, [companyId, ...filter]),
    ]);
    return { jobs, total: counts?.total ?? 0 };
  }

  updateJob({ companyId }: Caller, id: string, patch: Readonly<Record<string, unknown>>): Promise<JobRow | undefined> {
    const fields = Object.keys(patch);
    const values = fields.map((name) => sentAs(name as JobColumn, patch[name]));
    return this.#first<JobRow>(`update ${fields}`, updateSql(fields), [companyId, id, ...values]);
  }

  async withdrawJob({ companyId }: Caller, id: string): Promise<boolean> {
    return (await this.#first('withdraw', withdrawSql, [companyId, id])) !== undefined;
  }

  readAccount({ companyId }: Caller): Promise<AccountRow | undefined> {
    return this.#first<AccountRow>('account', accountSql, [companyId]);
  }

  categories(): Promise<object[]> {
    return this.#all('categories', categoriesSql, []);
  }

  regions(): Promise<object[]> {
    return this.#all('regions', 'SELECT id, name, slug FROM districts ORDER BY id', []);
  }

  async #first<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R | undefined> {
    return (await this.#all<R>(name, text, values))[0];
  }

  async #all<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
    return (await this.#pool.query<R>({ name, text, values })).rows;
  }
}
