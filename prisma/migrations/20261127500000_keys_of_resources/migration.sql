-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "resource" TEXT,
ADD COLUMN     "resource_id" BIGINT,
ALTER COLUMN "job_id" SET DEFAULT 0;
