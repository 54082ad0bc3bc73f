-- DropForeignKey
ALTER TABLE "job_events" DROP CONSTRAINT "job_events_company_id_environment_job_id_fkey";
