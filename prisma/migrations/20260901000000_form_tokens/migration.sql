-- One-time tokens of forms leave the session's data, which a concurrent request may write back.
-- AlterTable
ALTER TABLE "page_sessions" ADD COLUMN "form_tokens" TEXT[] NOT NULL DEFAULT '{}';
