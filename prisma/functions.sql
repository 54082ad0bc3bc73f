-- The functions that change jobs. `npm run migrate` applies this file whenever its text is not the one that it applied last. A company's id is
-- their first argument, so that Citus runs them where the company's rows are. They also serve processes of the version before, which may
-- send fewer fields: a function that gets another signature or meaning gets a new name, and the next version's migration drops the old one.
-- They answer in `refusals` why they changed nothing, beside the job as it is now. `use_variable`: a field may be called like an argument.

-- Why a job cannot be in a category and a district (NULL is not checked): `category` (it takes no jobs), `area` (a main area takes none),
-- `district` (there is none), `elsewhere` (the company may not publish there).
CREATE OR REPLACE FUNCTION place_refusals(of_company bigint, in_category int, in_district int, checks_districts boolean)
RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  of_category text;
  of_district text;
  is_allowed boolean;
BEGIN
  IF in_category IS NOT NULL THEN
    SELECT CASE WHEN child.parent_id IS NULL THEN 'area' END INTO of_category
      FROM categories child LEFT JOIN categories area ON area.id = child.parent_id
      WHERE child.id = in_category AND child.active AND area.active IS NOT FALSE;
    IF NOT FOUND THEN of_category := 'category'; END IF;
  END IF;
  IF in_district IS NOT NULL THEN
    PERFORM FROM districts WHERE id = in_district;
    IF NOT FOUND THEN
      of_district := 'district';
    ELSIF checks_districts THEN
      -- NULL without a list: the company may publish everywhere.
      SELECT bool_or(district_id = in_district) INTO is_allowed FROM allowed_districts WHERE company_id = of_company;
      IF NOT is_allowed THEN of_district := 'elsewhere'; END IF;
    END IF;
  END IF;
  RETURN array_remove(ARRAY[of_category, of_district], NULL);
END $$;

-- Adds an event to a job's history, after the job's others; the caller holds the job's lock. On Citus each node numbers events in a range of its
-- own, and people decide through the coordinator. `edit_revision` is the job's revision after an edit, else null: of edits
-- the latest 200 are kept, and at most 500 older ones are deleted at once.
CREATE OR REPLACE FUNCTION add_job_event(
  of_company bigint, in_environment environment, of_job bigint, of_kind job_event_kind, with_status job_status, by_actor text,
  at_time timestamptz, edit_revision int
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_id bigint;
  oldest bigint;
  latest bigint;
BEGIN
  IF of_kind <> 'created' THEN
    SELECT id INTO last_id FROM job_events
      WHERE company_id = of_company AND environment = in_environment AND job_id = of_job ORDER BY id DESC LIMIT 1;
  END IF;
  INSERT INTO job_events (company_id, environment, job_id, id, kind, status, actor, created_at, is_edit)
    VALUES (of_company, in_environment, of_job, greatest(nextval('job_events_id_seq'), last_id + 1), of_kind, with_status, by_actor,
            at_time, edit_revision IS NOT NULL);
  IF edit_revision > 200 THEN
    SELECT min(id), max(id) INTO oldest, latest FROM (
      SELECT id FROM job_events
        WHERE company_id = of_company AND environment = in_environment AND job_id = of_job AND is_edit
        ORDER BY id DESC LIMIT 500 OFFSET 200) AS older;
    DELETE FROM job_events
      WHERE company_id = of_company AND environment = in_environment AND job_id = of_job AND is_edit
        AND id BETWEEN oldest AND latest;
  END IF;
END $$;

-- Consumes one posting, inserts a job with its first event, and binds the idempotency key; or says why not and changes nothing: `key` (used;
-- `claimed` has the hashes that it was used with, `job` the job that it created, if that is left), what place_refusals finds, or `quota`
-- (`counted` are the postings; a negative limit is none).
CREATE OR REPLACE FUNCTION try_create_job(
  of_company bigint, in_environment environment, with_key text, with_hashes jsonb, of_allowance allowance, of_period date,
  posting_limit int, checks_districts boolean, with_status job_status, by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], claimed jsonb, counted int, job jobs) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  made jobs := jsonb_populate_record(NULL::jobs, sent);
BEGIN
  LOOP
    -- Of simultaneous creates with one key, the later ones wait here for the first.
    INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
      VALUES (of_company, in_environment, with_key, with_hashes, 0, at_time) ON CONFLICT DO NOTHING;
    EXIT WHEN FOUND;
    RETURN QUERY SELECT '{key}'::text[], used.field_hashes, NULL::int, ROW(stored.*)::jobs
      FROM idempotency_keys used
      LEFT JOIN jobs stored
        ON stored.company_id = used.company_id AND stored.environment = used.environment AND stored.id = used.job_id
      WHERE used.company_id = of_company AND used.environment = in_environment AND used.key = with_key;
    IF FOUND THEN RETURN; END IF;
  END LOOP;

  refusals := place_refusals(of_company, made.category_id, made.district_id, checks_districts);
  -- Of simultaneous creates, each waits here for the one before and then sees its count.
  IF refusals = '{}' AND posting_limit <> 0 THEN
    INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
      VALUES (of_company, of_allowance, of_period, 1)
      ON CONFLICT (company_id, allowance, period_start)
        DO UPDATE SET used = usage.used + 1 WHERE posting_limit < 0 OR usage.used < posting_limit
      RETURNING usage.used INTO counted;
  END IF;
  IF counted IS NULL THEN
    -- A refused create leaves the key unused.
    DELETE FROM idempotency_keys WHERE company_id = of_company AND environment = in_environment AND key = with_key;
    IF refusals = '{}' THEN
      refusals := '{quota}';
      SELECT used INTO counted FROM posting_usage
        WHERE company_id = of_company AND allowance = of_allowance AND period_start = of_period;
    END IF;
    RETURN NEXT;
    RETURN;
  END IF;

  -- After that wait, so that creates are acknowledged in the order of their jobs.
  made.id := nextval('jobs_id_seq');
  UPDATE idempotency_keys SET job_id = made.id WHERE company_id = of_company AND environment = in_environment AND key = with_key;
  made.company_id := of_company;
  made.environment := in_environment;
  made.revision := 1;
  made.status := with_status;
  made.is_anonymous := false;
  made.created_at := at_time;
  made.updated_at := at_time;
  -- The defaults of the contract: written by `npm run generate`.
  made."salary_negotiable" := coalesce(made."salary_negotiable", false);
  -- End of the defaults of the contract.
  -- By name: a column that the next version's migration adds meanwhile gets its default.
  INSERT INTO jobs (
    company_id, environment, id, revision, status, is_anonymous, created_at, updated_at,
    -- The names of the contract: written by `npm run generate`.
    "title",
    "body",
    "contact_instructions",
    "category_id",
    "district_id",
    "application_method",
    "contact_email",
    "contact_phone",
    "external_application_url",
    "requirements",
    "salary_benefits",
    "remote_policy",
    "valid_until",
    "salary_min",
    "salary_max",
    "salary_negotiable",
    "salary_type",
    "experience_years",
    "education_details",
    "professional_requirements",
    "language_requirements",
    "contract_type",
    "work_modality",
    "education_level"
    -- End of the names of the contract.
  ) VALUES (
    made.company_id, made.environment, made.id, made.revision, made.status, made.is_anonymous, made.created_at, made.updated_at,
    -- The values of the contract: written by `npm run generate`.
    made."title",
    made."body",
    made."contact_instructions",
    made."category_id",
    made."district_id",
    made."application_method",
    made."contact_email",
    made."contact_phone",
    made."external_application_url",
    made."requirements",
    made."salary_benefits",
    made."remote_policy",
    made."valid_until",
    made."salary_min",
    made."salary_max",
    made."salary_negotiable",
    made."salary_type",
    made."experience_years",
    made."education_details",
    made."professional_requirements",
    made."language_requirements",
    made."contract_type",
    made."work_modality",
    made."education_level"
    -- End of the values of the contract.
  );
  PERFORM add_job_event(of_company, in_environment, made.id, 'created', with_status, by_actor, at_time, NULL);
  job := made;
  RETURN NEXT;
END $$;

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
  IF job.status = with_status OR by_actor NOT LIKE 'credential:%' THEN edit_revision := job.revision; END IF;
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
