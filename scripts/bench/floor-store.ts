import pg from 'pg';
import { hashSecret, readSecret } from '../../src/domain/token.ts';
import { jobColumns } from './floor-columns.ts';

/** Who calls, from one look-up. */
export interface Caller {
  readonly companyId: string;
  readonly companyName: string;
  readonly access: 'read' | 'write';
}

export type JobRow = Record<string, unknown> & { id: string; status: string; is_anonymous: boolean };

const names = Object.keys(jobColumns);
const returned = ['id, status, is_anonymous, created_at, updated_at', ...names].join(', ');
const firstField = 4;
const sent = Object.values(jobColumns).map((type, index) => `$${index + firstField}::${type}`);

const findCallerSql = `
  SELECT c.company_id AS "companyId", co.name AS "companyName", c.access
    FROM credentials c JOIN companies co ON co.id = c.company_id
   WHERE c.company_id = $1 AND c.secret_hash = $2 AND c.environment = 'production'
     AND c.revoked_at IS NULL AND c.expires_at > now() AND co.production_approved_at IS NOT NULL`;

const findJobSql = `SELECT ${returned} FROM jobs WHERE company_id = $1 AND environment = 'production' AND id = $2`;

const findKeySql = `
  SELECT field_hashes->>'body' AS digest, job_id AS "jobId"
    FROM idempotency_keys WHERE company_id = $1 AND environment = 'production' AND key = $2`;

const createSql = `
  WITH spent AS (
    INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
    SELECT $1::bigint, 'subscription', date_trunc('month', now())::date, 1
     WHERE NOT EXISTS (SELECT FROM idempotency_keys WHERE company_id = $1 AND environment = 'production' AND key = $2)
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = usage.used + 1
    RETURNING 1),
  inserted AS (
    INSERT INTO jobs (company_id, environment, status, created_at, updated_at, ${names.join(', ')})
    SELECT $1, 'production', 'pending', now(), now(), ${sent.join(', ')} FROM spent
    RETURNING *),
  bound AS (
    INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
    SELECT company_id, environment, $2, jsonb_build_object('body', $3::text), id, created_at FROM inserted)
  SELECT ${returned} FROM inserted`;

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
    const fields = Object.entries(jobColumns).map(([name, type]) => {
      const value = name === 'salary_negotiable' ? (body[name] ?? false) : (body[name] ?? null);
      return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
    });
    try {
      return await this.#first<JobRow>('create', createSql, [companyId, key, digest, ...fields]);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return undefined;
      throw error;
    }
  }

  async #first<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R | undefined> {
    const { rows } = await this.#pool.query<R>({ name, text, values });
    return rows[0];
  }
}
