-- AlterTable
ALTER TABLE "request_log" ADD COLUMN     "reason" TEXT;

-- Prisma cannot say a partial index. Refusals of all companies are counted from it alone.
CREATE INDEX "request_log_refused_idx" ON "request_log"("at", "reason") WHERE "reason" IS NOT NULL;
