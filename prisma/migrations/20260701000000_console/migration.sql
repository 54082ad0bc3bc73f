-- The review queue of the whole service, oldest first. Prisma cannot say a partial index.
CREATE INDEX "jobs_review_queue_idx" ON "jobs"("created_at", "id") WHERE "status" = 'pending' AND "environment" = 'production';

-- CreateIndex
CREATE INDEX "audit_entries_actor_id_idx" ON "audit_entries"("actor", "id");

-- CreateIndex
CREATE INDEX "audit_entries_created_at_idx" ON "audit_entries"("created_at");
