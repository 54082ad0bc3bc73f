-- Finds the keys of jobs. Creates wait while the index is made. It is partial, so that no plan made before the table was analyzed reads it for
-- a lookup by key: it would read all keys of the company.
CREATE INDEX "idempotency_keys_company_id_environment_job_id_idx" ON "idempotency_keys"("company_id", "environment", "job_id") WHERE "job_id" > 0;
