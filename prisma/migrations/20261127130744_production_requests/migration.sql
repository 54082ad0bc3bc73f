-- AlterTable
ALTER TABLE "companies" ADD COLUMN     "production_request_note" TEXT,
ADD COLUMN     "production_requested_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspension_reason" TEXT;
