-- The faults that show an incomplete copy of a database, one line for each: `ops doctor --restored` reads this after a restore. It reads
-- whole tables. On Citus, the audit trail and the people stay on the coordinator, so the rows to compare them with are read first, into the
-- kept_ tables.
WITH kept_companies AS MATERIALIZED (SELECT id FROM companies),
kept_credentials AS MATERIALIZED (SELECT company_id, id, created_at FROM credentials),
kept_subscriptions AS MATERIALIZED (SELECT company_id FROM subscriptions),
kept_grants AS MATERIALIZED (SELECT company_id FROM complimentary_grants),
kept_counts AS MATERIALIZED (SELECT company_id, allowance, period_start, used FROM posting_usage),
-- Only the keys of jobs are counted as postings.
kept_keys AS MATERIALIZED (
  SELECT company_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS keys FROM idempotency_keys
   WHERE resource IS NULL GROUP BY 1, 2, 3),
kept_usage AS MATERIALIZED (SELECT company_id, period_start, used FROM kept_counts WHERE allowance <> 'sandbox'),
kept_days AS MATERIALIZED (SELECT company_id, day, keys FROM kept_keys WHERE environment = 'production'),
-- Each comparison begins at a day: the first day of a period, or 300 days ago. Older rows may have been deleted.
kept_firsts AS MATERIALIZED (
  SELECT company_id, period_start AS first FROM kept_usage WHERE period_start > current_date - 300
   UNION SELECT company_id, current_date - 300 FROM kept_days),
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
    FROM (SELECT company_id, sum(keys) AS keys FROM kept_keys WHERE environment = 'sandbox' GROUP BY 1) k
    FULL JOIN (SELECT company_id, used FROM kept_counts WHERE allowance = 'sandbox') u USING (company_id)
   WHERE coalesce(keys, 0) <> coalesce(used, 0)
  UNION ALL
  SELECT 'companies with more postings than keys', count(*)
    -- A new first day of a plan copies the count, so the counts of one allowance overlap.
    FROM (SELECT company_id, max(used) AS used FROM kept_usage GROUP BY 1) u
    LEFT JOIN (SELECT company_id, sum(keys) AS keys FROM kept_days GROUP BY 1) k USING (company_id)
   WHERE used > coalesce(keys, 0)
  UNION ALL
  -- A key is as old as the period that counts it, or up to 30 days younger. Its day in the service's time zone may be another one than in UTC.
  -- A changed first day copies the count to another period, so the sum can only be too high.
  SELECT 'companies with fewer postings than keys', count(DISTINCT company_id)
    FROM (SELECT company_id, first, sum(keys) AS keys FROM kept_firsts JOIN kept_days USING (company_id) WHERE day > first GROUP BY 1, 2) k
    LEFT JOIN (SELECT company_id, first, sum(used) AS used FROM kept_firsts JOIN kept_usage USING (company_id)
                WHERE period_start > first - 31 GROUP BY 1, 2) u USING (company_id, first)
   WHERE keys > coalesce(used, 0)
  UNION ALL
  -- Subscriptions that have ended stay. Releases from before 2026-11-28 deleted a grant that ended.
  SELECT 'subscriptions that are gone', count(DISTINCT company_id) FROM audit_entries a
   WHERE (a.action = 'subscription.set' OR a.action = 'company.created' AND a.details ->> 'plan' IS NOT NULL)
     AND EXISTS (SELECT FROM kept_companies WHERE id = a.company_id)
     AND NOT EXISTS (SELECT FROM kept_subscriptions s WHERE s.company_id = a.company_id)
  UNION ALL
  SELECT 'grants that are gone', count(DISTINCT company_id) FROM audit_entries a
   WHERE a.action = 'grant.given' AND EXISTS (SELECT FROM kept_companies WHERE id = a.company_id)
     AND NOT EXISTS (SELECT FROM audit_entries e WHERE e.company_id = a.company_id AND e.action = 'grant.ended' AND e.id > a.id)
     AND NOT EXISTS (SELECT FROM kept_grants g WHERE g.company_id = a.company_id)
  UNION ALL
  SELECT 'administrators who are gone', count(*) FROM audit_entries a
   WHERE a.action = 'administrator.created' AND NOT EXISTS (SELECT FROM administrators d WHERE d.id = (a.details ->> 'administrator_id')::bigint)
     AND NOT EXISTS (SELECT FROM audit_entries r WHERE r.action = 'administrator.removed'
                                                   AND r.details ->> 'administrator_id' = a.details ->> 'administrator_id')
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
)
SELECT number || ' ' || problem AS problem FROM found WHERE number > 0
