-- AlterTable
ALTER TABLE "job_events" ADD COLUMN     "reason" TEXT;

-- Of the jobs that are denied now.
UPDATE "job_events" AS "event"
   SET "reason" = "job"."denial_reason"
  FROM "jobs" AS "job"
 WHERE "job"."company_id" = "event"."company_id" AND "job"."environment" = "event"."environment" AND "job"."id" = "event"."job_id"
   AND "job"."status" = 'denied' AND "event"."kind" = 'denied' AND "event"."created_at" = "job"."updated_at";
