-- The answer to a session's latest form, encrypted with a key that only the form has.
-- AlterTable
ALTER TABLE "page_sessions" ADD COLUMN     "form_answer" BYTEA;
