import type pg from 'pg';
import type { Context } from '../../src/context.ts';
import { listAudit } from '../../src/operations/audit/people/list-audit.ts';
import { listCompanies } from '../../src/operations/companies/people/list-companies.ts';
import { find } from '../../src/operations/find/people/find.ts';
import {
  exportJobs,
  searchAllJobs,
  searchJobs,
  searchQueue,
  showNextInQueue,
} from '../../src/operations/jobs/people/search-jobs.ts';
import { searchRequests } from '../../src/operations/requests/people/list-requests.ts';
import { until } from './times.ts';

/** The letter whose case and accents take longest to fold, and near the end an x: no piece with an x is found before. */
const worst = (length: number) => `repeat(U&'\\1EBF', ${length - 8}) || 'x' || repeat(U&'\\1EBF', 7)`;
/** One statement takes less than a second, on a slow machine less than the pool's timeout. */
const rowsAtOnce = 1000;

interface WorstTexts {
  /** Of each table but the audit trail. */
  readonly rows: number;
  /** Of each title and name. */
  readonly letters: number;
  readonly auditRows: number;
  readonly companyId: bigint;
}

/**
 * Fills the tables that are searched with the worst texts. Returns the company that has all jobs and audit entries: the given one, or the first
 * of as many companies.
 */
export async function fillWithWorstTexts(
  pool: pg.Pool,
  { rows = 50_000, letters = 255, auditRows = 5500, companyId: given }: Partial<WorstTexts> = {},
): Promise<bigint> {
  const insert = async (into: string, values: string, count: number) => {
    for (let done = 0; done < count; done += rowsAtOnce)
      await pool.query(
        `INSERT INTO ${into} SELECT ${values} FROM generate_series(${done + 1}, ${Math.min(done + rowsAtOnce, count)}) AS i`,
      );
  };
  if (given === undefined) await insert('companies (name)', worst(letters), rows);
  const { rows: found } = await pool.query<{ id: string }>('SELECT min(id) AS id FROM companies');
  const companyId = given ?? BigInt(found[0]?.id ?? 0);
  const columns =
    'company_id, environment, status, created_at, updated_at, title, body, contact_instructions, application_method';
  const job = `'production', 'pending', now(), now(), ${worst(letters)}, repeat('texto ', 100), 'Aqui', 'system'`;
  await insert(`jobs (${columns})`, `${companyId}, ${job}`, rows);
  const details = `jsonb_build_object('reason', ${worst(1000)}, 'job_id', i, 'credential_id', i, 'user_id', i)`;
  // Those of the company, and after them as many of different ones.
  for (const of of [`${companyId}`, `${companyId} + i - 1`])
    await insert(
      'audit_entries (company_id, actor, action, details, created_at)',
      `${of}, 'user:1', 'user.password_set', ${details}, now()`,
      auditRows,
    );
  await insert(
    'request_log (company_id, environment, at, request_id, protocol, status, credential_id, latency_ms)',
    `${companyId}, 'production', now(), gen_random_uuid()::text, 'rest', 200, 1, 5`,
    rows,
  );
  // Plans depend on which rows everybody sees, and an autovacuum of another table may still keep some from this one.
  for (const table of ['companies', 'jobs', 'audit_entries', 'request_log'])
    await until(async () => {
      await pool.query(`VACUUM ANALYZE ${table}`);
      const { rows } = await pool.query(
        'SELECT relallvisible >= relpages AS done FROM pg_class WHERE oid = $1::regclass',
        [table],
      );
      return rows[0].done;
    });
  return companyId;
}

/** Texts that are found nowhere or everywhere, also those for which a search compares most. */
export const searchedTexts = {
  'a letter of none': 'y',
  'a letter of all': 'e',
  'a text of all': 'ế'.repeat(247),
  'nearly a text of all': `y${'e'.repeat(254)}`,
  'an end of none': `${'e'.repeat(254)}y`,
  'a long word of none': `y${'e'.repeat(15)}`,
  'many words': `${'e ee eee eeee eeeee eeeeee eeeeeee eeeeeeee '.repeat(5)}y`,
  'the ends of all': Array.from({ length: 8 }, (_, at) => `x${'e'.repeat(at)}`).join(' '),
  'an id': '12',
} as const;

/** Every search for a text. */
export const searchesOf = (ctx: Context, companyId: bigint) => {
  const search = (run: (text: string) => Promise<unknown>) => run;
  const exported = async (text: string) => {
    const { lines } = await exportJobs(ctx, { companyId, text });
    for await (const _ of lines);
  };
  return {
    "a company's jobs": search((text) => searchJobs(ctx, { companyId, text })),
    "a company's jobs by title": search((text) => searchJobs(ctx, { companyId, text, sort: 'title' })),
    "a company's jobs as a file": search(exported),
    "a company's activity": search((text) => listAudit(ctx, { companyId, text })),
    'all jobs': search((text) => searchAllJobs(ctx, { text })),
    'all jobs by title': search((text) => searchAllJobs(ctx, { text, sort: 'title' })),
    'the review queue': search((text) => searchQueue(ctx, { text })),
    'what is next in it': search((text) =>
      showNextInQueue(ctx, { companyId, environment: 'production', jobId: 1n, text }),
    ),
    companies: search((text) => listCompanies(ctx, { text })),
    'companies by name': search((text) => listCompanies(ctx, { text, sort: 'name' })),
    'the audit trail': search((text) => listAudit(ctx, { text })),
    requests: search((text) => searchRequests(ctx, { text })),
    Find: search((text) => find(ctx, { text })),
  };
};
