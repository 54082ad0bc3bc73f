-- The faults that show an incomplete copy of a database, one line for each: `ops doctor --restored` reads this after a restore. It reads
-- whole tables. On Citus, the audit trail and the people stay on the coordinator, so the rows to compare them with are read first, into the
-- kept_ tables.
WITH kept_companies AS MATERIALIZED (SELECT id FROM companies),
kept_credentials AS MATERIALIZED (SELECT company_id, id, created_at FROM credentials),
found (problem, number) AS (
  SELECT 'jobs without the first event of their history', count(*) FROM jobs j
   WHERE NOT EXISTS (SELECT FROM job_events e WHERE e.company_id = j.company_id AND e.environment = j.environment
                                                AND e.job_id = j.id AND e.kind = 'created')
  UNION ALL
  SELECT 'jobs without their idempotency key', count(*) FROM jobs j
   WHERE NOT EXISTS (SELECT FROM idempotency_keys k WHERE k.company_id = j.company_id AND k.environment = j.environment
                                                      AND k.job_id = j.id)
  UNION ALL
  SELECT 'histories whose job is gone', count(DISTINCT (company_id, environment, job_id)) FROM job_events e
   WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.company_id = e.company_id AND j.environment = e.environment AND j.id = e.job_id)
  UNION ALL
  SELECT 'sandboxes whose count is not that of their keys', count(*)
    FROM (SELECT company_id, count(*) AS keys FROM idempotency_keys WHERE environment = 'sandbox' GROUP BY 1) k
    FULL JOIN (SELECT company_id, used FROM posting_usage WHERE allowance = 'sandbox') u USING (company_id)
   WHERE coalesce(keys, 0) <> coalesce(used, 0)
  UNION ALL
  SELECT 'companies with more postings than keys', count(*)
    -- A new first day of a plan copies the count, so the counts of one allowance overlap.
    FROM (SELECT company_id, max(used) AS used FROM posting_usage WHERE allowance <> 'sandbox' GROUP BY 1) u
   WHERE used > (SELECT count(*) FROM idempotency_keys k WHERE k.company_id = u.company_id AND environment = 'production')
  UNION ALL
  -- Only the last year: earlier rows may have been deleted.
  SELECT 'credentials whose audit entry is gone', count(*) FROM kept_credentials c
   WHERE created_at > now() - interval '1 year'
     AND NOT EXISTS (SELECT FROM audit_entries a WHERE a.company_id = c.company_id
                        AND a.action IN ('credential.issued', 'credential.replaced') AND a.details ->> 'credential_id' = c.id::text)
  UNION ALL
  SELECT 'issued credentials that are gone', count(*) FROM audit_entries a
   WHERE a.action IN ('credential.issued', 'credential.replaced') AND a.created_at > now() - interval '1 year'
     AND EXISTS (SELECT FROM kept_companies WHERE id = a.company_id)
     AND NOT EXISTS (SELECT FROM kept_credentials c WHERE c.company_id = a.company_id AND c.id = (a.details ->> 'credential_id')::bigint)
  UNION ALL
  SELECT 'people who are gone', count(*) FROM audit_entries a
   WHERE a.action IN ('user.created', 'user.invited') AND EXISTS (SELECT FROM kept_companies WHERE id = a.company_id)
     AND NOT EXISTS (SELECT FROM users u WHERE u.id = (a.details ->> 'user_id')::bigint)
     AND NOT EXISTS (SELECT FROM audit_entries r WHERE r.company_id = a.company_id AND r.action = 'user.removed'
                                                   AND r.details ->> 'user_id' = a.details ->> 'user_id')
  UNION ALL
  -- Citus' workers number rows from 2^48 on, each with its own sequence: restored-workers.sql.
  SELECT 'sequences behind their table', count(*)
    FROM (VALUES ('companies', (SELECT max(id) FROM companies)), ('users', (SELECT max(id) FROM users)),
                 ('administrators', (SELECT max(id) FROM administrators)),
                 ('credentials', (SELECT max(id) FROM credentials WHERE id < 1::bigint << 48)),
                 ('jobs', (SELECT max(id) FROM jobs WHERE id < 1::bigint << 48)),
                 ('job_events', (SELECT max(id) FROM job_events WHERE id < 1::bigint << 48)),
                 ('request_log', (SELECT max(id) FROM request_log WHERE id < 1::bigint << 48)),
                 ('audit_entries', (SELECT max(id) FROM audit_entries)))
           AS t (name, latest)
   WHERE latest > coalesce(pg_sequence_last_value(pg_get_serial_sequence(name, 'id')), 0)
)
SELECT number || ' ' || problem AS problem FROM found WHERE number > 0
