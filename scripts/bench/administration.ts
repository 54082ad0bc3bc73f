import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../src/auth/passwords.ts';
import { onServer } from '../../test/helper/test-database.ts';
import { judged, printTable, quantile } from './report.ts';

const boundMs = 100;

/** SQL that inserts an audit entry for each job, and a logged request for every second job. One in five of these requests was refused. */
const trails = [
  `INSERT INTO audit_entries (company_id, environment, actor, action, details, created_at)
   SELECT company_id, environment, 'user:' || company_id, 'job.withdrawn', jsonb_build_object('job_id', id, 'reason', title), created_at
     FROM jobs ORDER BY id`,
  `INSERT INTO request_log (company_id, environment, at, request_id, protocol, operation, status, credential_id, latency_ms, reason, job_id)
   SELECT company_id, environment, now() - (id || ' ms')::interval, gen_random_uuid(), 'rest', 'createJob',
          CASE WHEN id % 10 = 0 THEN 403 ELSE 201 END, company_id, 12, CASE WHEN id % 10 = 0 THEN 'quota' END, id
     FROM jobs WHERE id % 2 = 0 ORDER BY id`,
  'VACUUM (ANALYZE)',
];

/** The pages of the administration that read data which grows with the number of companies. */
const pages = [
  '/admin',
  '/admin/review',
  '/admin/review?text=programador',
  '/admin/review?text=nothing+has+this',
  '/admin/companies',
  '/admin/companies?text=oficina',
  '/admin/companies?text=nothing+has+this',
  '/admin/companies/1',
  '/admin/jobs',
  '/admin/jobs?environment=production',
  '/admin/jobs?environment=sandbox',
  '/admin/jobs?status=denied',
  '/admin/jobs?sort=oldest',
  '/admin/jobs?sort=changed',
  '/admin/jobs?sort=title',
  '/admin/jobs?page=1000',
  '/admin/jobs?text=programador',
  '/admin/jobs?text=nothing+has+this',
  '/admin/jobs?text=500000',
  '/admin/jobs?companyId=1',
  '/admin/find?text=programador',
  '/admin/find?text=nothing+has+this',
  '/admin/find?text=500000',
  '/admin/find?text=0123456789abcdef0123456789abcdef',
  '/admin/audit',
  '/admin/audit?sort=oldest',
  '/admin/audit?text=programador',
  '/admin/audit?text=nothing+has+this',
  '/admin/audit?actorKind=operator',
  '/admin/audit?action=job.denied',
  '/admin/audit?companyId=1',
  '/admin/requests',
  '/admin/requests?companyId=1',
  '/admin/requests?text=0123456789abcdef0123456789abcdef',
  '/admin/requests?reason=scope',
] as const;

/** Requests each page `times` times, on a database with many companies' jobs, and prints its median latency. */
export async function measureAdministration(databaseUrl: string, origin: string, times: number): Promise<void> {
  const [email, password] = ['bench@example.com', randomBytes(12).toString('hex')];
  await onServer(databaseUrl, async (client) => {
    for (const sql of trails) await client.query(sql);
    await client.query('INSERT INTO administrators (email, password_hash, created_at) VALUES ($1, $2, now())', [
      email,
      await hashPassword(password),
    ]);
  });
  const headers = { cookie: await signIn(origin, email, password) };
  const rows = [['page', 'p50 in ms']];
  for (const page of pages) {
    const ms: number[] = [];
    for (let n = 0; n < times; n++) {
      const started = performance.now();
      const answer = await fetch(origin + page, { headers, redirect: 'manual' });
      await answer.arrayBuffer();
      if (answer.status !== 200 && !page.startsWith('/admin/find')) throw new Error(`${page}: ${answer.status}`);
      ms.push(performance.now() - started);
    }
    rows.push([`\`${page}\``, judged(quantile(ms, 0.5), boundMs, 0)]);
  }
  printTable(rows);
}

/** Signs an administrator in and returns the session's cookie. */
async function signIn(origin: string, email: string, password: string): Promise<string> {
  const page = await fetch(`${origin}/admin/sign-in`);
  const before = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const fields = new URLSearchParams({ email, password });
  for (const [, name = '', value = ''] of (await page.text()).matchAll(
    /<input type="hidden" name="(\w+)" value="([^"]*)"/g,
  ))
    fields.set(name, value);
  const answer = await fetch(`${origin}/admin/sign-in`, {
    ...{ method: 'POST', body: fields, redirect: 'manual' },
    headers: { cookie: before.join('; '), origin },
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  if (answer.status !== 303) throw new Error(`sign-in: ${answer.status}`);
  return cookies.join('; ');
}
