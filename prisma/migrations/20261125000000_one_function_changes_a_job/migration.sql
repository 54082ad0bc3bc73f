-- functions.sql has try_change_job in their place. The version before calls these two, also on a database that never had them; the next
-- migration may drop them.
-- Writes the fields that were sent and the status, and adds an event; without a status it writes nothing. Or says why not: `changed` (the job is
-- gone or was updated at another time than the caller has read), or what place_refusals finds.
CREATE OR REPLACE FUNCTION try_patch_job(
  of_company bigint, in_environment environment, of_job bigint, read_at timestamptz, checks_districts boolean, with_status job_status,
  by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], job jobs) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  to_district int := sent ->> 'district_id';
  edit_revision int;
BEGIN
  refusals := '{changed}';
  SELECT * INTO job FROM jobs
    WHERE company_id = of_company AND environment = in_environment AND id = of_job AND updated_at = read_at;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  refusals := place_refusals(of_company, (sent ->> 'category_id')::int, to_district,
                             checks_districts AND to_district IS DISTINCT FROM job.district_id);
  IF refusals <> '{}' OR with_status IS NULL THEN RETURN NEXT; RETURN; END IF;

  job.revision := job.revision + 1;
  IF job.status = with_status THEN edit_revision := job.revision; END IF;
  job := jsonb_populate_record(job, sent);
  job.status := with_status;
  job.updated_at := greatest(at_time, read_at + interval '1 millisecond');
  IF with_status <> 'denied' THEN job.denial_reason := NULL; END IF;
  UPDATE jobs SET
    status = job.status, updated_at = job.updated_at, revision = job.revision, denial_reason = job.denial_reason,
    -- The fields of the contract: written by `npm run generate`.
    "title" = job."title",
    "body" = job."body",
    "contact_instructions" = job."contact_instructions",
    "category_id" = job."category_id",
    "district_id" = job."district_id",
    "application_method" = job."application_method",
    "contact_email" = job."contact_email",
    "contact_phone" = job."contact_phone",
    "external_application_url" = job."external_application_url",
    "requirements" = job."requirements",
    "salary_benefits" = job."salary_benefits",
    "remote_policy" = job."remote_policy",
    "valid_until" = job."valid_until",
    "salary_min" = job."salary_min",
    "salary_max" = job."salary_max",
    "salary_negotiable" = job."salary_negotiable",
    "salary_type" = job."salary_type",
    "experience_years" = job."experience_years",
    "education_details" = job."education_details",
    "professional_requirements" = job."professional_requirements",
    "language_requirements" = job."language_requirements",
    "contract_type" = job."contract_type",
    "work_modality" = job."work_modality",
    "education_level" = job."education_level"
    -- End of the fields of the contract.
    WHERE company_id = of_company AND environment = in_environment AND id = of_job AND updated_at = read_at;
  IF FOUND THEN
    PERFORM add_job_event(of_company, in_environment, of_job, 'updated', with_status, by_actor, job.updated_at, edit_revision);
  ELSE
    refusals := '{changed}';
  END IF;
  RETURN NEXT;
END $$;

-- Changes the status of a job from the one that it must have (NULL: any other than the new one), with an event. Or says why not: `missing`,
-- `status` (it has another, or the new one already), `changed` (it is none of the versions that were read, see src/domain/job-version.ts; NULL:
-- any). The reason of a denial stays if the job is withdrawn.
CREATE OR REPLACE FUNCTION try_set_status(
  of_company bigint, in_environment environment, of_job bigint, read_versions text[], from_status job_status, with_status job_status,
  with_reason text, of_kind job_event_kind, by_actor text, at_time timestamptz, on_day date
) RETURNS TABLE (refusals text[], job jobs) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  SELECT * INTO job FROM jobs
    WHERE company_id = of_company AND environment = in_environment AND id = of_job FOR NO KEY UPDATE;
  refusals := CASE
    WHEN NOT FOUND THEN '{missing}'
    WHEN job.status = with_status OR job.status <> from_status THEN '{status}'
    WHEN to_char(job.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"/')
         || CASE WHEN job.status = 'active' AND job.valid_until < on_day THEN 'expired' ELSE job.status END
         <> ALL (read_versions) THEN '{changed}'
    ELSE '{}'
  END;
  IF refusals = '{}' THEN
    job.status := with_status;
    job.updated_at := greatest(at_time, job.updated_at + interval '1 millisecond');
    job.revision := job.revision + 1;
    IF with_status <> 'inactive' THEN job.denial_reason := with_reason; END IF;
    UPDATE jobs SET
      status = job.status, updated_at = job.updated_at, revision = job.revision, denial_reason = job.denial_reason
      WHERE company_id = of_company AND environment = in_environment AND id = of_job;
    PERFORM add_job_event(of_company, in_environment, of_job, of_kind, with_status, by_actor, job.updated_at, NULL);
  END IF;
  RETURN NEXT;
END $$;

-- Former versions call these three.
-- The version before does not use it.
DROP FUNCTION try_update_job;
DROP FUNCTION try_decide_job;
DROP FUNCTION change_time;
