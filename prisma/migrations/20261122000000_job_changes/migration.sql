-- Lists by change read these alone. Writes to jobs wait while they are made.
-- CreateIndex
CREATE INDEX "jobs_updated_idx" ON "jobs"("company_id", "environment", "updated_at", "id", "status", "valid_until");

-- Prisma cannot say a partial index.
CREATE INDEX "jobs_expiry_idx" ON "jobs"("company_id", "environment", "valid_until", "id", "updated_at") WHERE "status" = 'active';
