-- AlterTable
ALTER TABLE "request_log" ADD COLUMN     "fields" TEXT[] DEFAULT ARRAY[]::TEXT[];
