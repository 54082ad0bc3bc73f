-- AlterTable
ALTER TABLE "request_log" ADD COLUMN     "traceparent" TEXT;
