-- AlterTable
ALTER TABLE "credentials" ADD COLUMN     "replaced_by" BIGINT;
