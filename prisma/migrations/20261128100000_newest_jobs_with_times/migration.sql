-- The administration also lists jobs by their last change, and those created in a time: the index answers these without the table, where
-- the same 50,000 jobs are 80 MB. Building it blocks writes to jobs, some three seconds for a million jobs.
DROP INDEX "jobs_newest_idx";
CREATE INDEX "jobs_newest_idx" ON "jobs"((CASE "environment" WHEN 'production' THEN -"id" ELSE 4611686018427387904 - "id" END) DESC)
  INCLUDE ("environment", "id", "company_id", "status", "valid_until", "created_at", "updated_at");
-- Without statistics on the expression, which only an ANALYZE after the index makes, a search of a million jobs would read them all. A new
-- table is not analyzed: the planner would take it for one that stays empty.
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM "jobs") THEN ANALYZE "jobs"; END IF;
END $$;
