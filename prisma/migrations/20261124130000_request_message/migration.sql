-- AlterTable
ALTER TABLE "request_log" ADD COLUMN     "job_id" BIGINT,
ADD COLUMN     "message" TEXT;
