-- AlterTable
ALTER TABLE "job_events" ADD COLUMN     "is_edit" BOOLEAN NOT NULL DEFAULT false;

-- Of what is noted already: a change after which the job had the same status as before.
UPDATE "job_events" AS "event"
   SET "is_edit" = true
  FROM (SELECT "company_id", "environment", "job_id", "id",
               lag("status") OVER (PARTITION BY "company_id", "environment", "job_id" ORDER BY "id") AS "status"
          FROM "job_events") AS "before"
 WHERE "event"."kind" = 'updated' AND "event"."status" = "before"."status"
   AND ("event"."company_id", "event"."environment", "event"."job_id", "event"."id")
     = ("before"."company_id", "before"."environment", "before"."job_id", "before"."id");
