-- The administration lists the newest jobs of all companies, production's first, and finds a job by its id alone. By an expression, so
-- that no plan prefers this index for a company's own jobs; descending, so that most new jobs come last, which is cheapest. The further
-- columns save a look at the table. Building it blocks writes to jobs, some three seconds for a million jobs.
CREATE INDEX "jobs_newest_idx" ON "jobs"((CASE "environment" WHEN 'production' THEN -"id" ELSE 4611686018427387904 - "id" END) DESC)
  INCLUDE ("environment", "id", "company_id", "status", "valid_until");
