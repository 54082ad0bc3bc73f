-- Each change of a job is one call of a function, so that it is one round trip, and on Citus runs where the company's rows are.

-- Adds an event to a job's history, after the job's others (see create_job); the caller holds the job's lock. `edit_revision` is the job's
-- revision after a change that kept the status, else null: of edits the latest 200 are kept, and at most 500 older ones are deleted at once.
CREATE FUNCTION add_job_event(
  of_company bigint, in_environment environment, of_job bigint, of_kind job_event_kind, with_status job_status, by_actor text,
  at_time timestamptz, edit_revision int
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_id bigint;
  surplus bigint[];
BEGIN
  SELECT max(id) INTO last_id FROM job_events
    WHERE company_id = of_company AND environment = in_environment AND job_id = of_job;
  INSERT INTO job_events (company_id, environment, job_id, id, kind, status, actor, created_at, is_edit)
    VALUES (of_company, in_environment, of_job, greatest(nextval('job_events_id_seq'), last_id + 1), of_kind, with_status, by_actor,
            at_time, edit_revision IS NOT NULL);
  IF edit_revision > 200 THEN
    SELECT array_agg(id) INTO surplus FROM (
      SELECT id FROM job_events
        WHERE company_id = of_company AND environment = in_environment AND job_id = of_job AND is_edit
        ORDER BY id DESC LIMIT 500 OFFSET 200) AS older;
    DELETE FROM job_events
      WHERE company_id = of_company AND environment = in_environment AND job_id = of_job AND id = ANY (surplus);
  END IF;
END $$;

-- Makes a job inactive. Returns false and changes nothing if there is no such job, it is inactive already, or it has another revision than
-- the caller has read (null: any).
CREATE FUNCTION withdraw_job(
  of_company bigint, in_environment environment, of_job bigint, read_revision int, by_actor text, at_time timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE jobs SET status = 'inactive', updated_at = at_time, revision = revision + 1
    WHERE company_id = of_company AND environment = in_environment AND id = of_job
      AND status <> 'inactive' AND revision = coalesce(read_revision, revision);
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM add_job_event(of_company, in_environment, of_job, 'withdrawn', 'inactive', by_actor, at_time, NULL);
  RETURN true;
END $$;

-- Publishes or denies a pending job. Returns false and changes nothing if it is not pending or has another revision than the reviewer has
-- read (null: any).
CREATE FUNCTION review_job(
  of_company bigint, in_environment environment, of_job bigint, read_revision int, with_status job_status, with_reason text,
  by_actor text, at_time timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE jobs SET status = with_status, denial_reason = with_reason, updated_at = at_time, revision = revision + 1
    WHERE company_id = of_company AND environment = in_environment AND id = of_job
      AND status = 'pending' AND revision = coalesce(read_revision, revision);
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM add_job_event(of_company, in_environment, of_job, CASE with_status WHEN 'active' THEN 'approved' ELSE 'denied' END::job_event_kind,
                        with_status, by_actor, at_time, NULL);
  RETURN true;
END $$;

-- Consumes one posting, inserts a job with its first event, and binds the idempotency key. Returns no row and changes nothing if the
-- key is taken, the limit is used up (negative: unlimited), or the category or district cannot be used.
-- An id is above the company's others even after Citus has moved them from a server whose sequence is further.
CREATE OR REPLACE FUNCTION create_job(
  of_company bigint, in_environment environment, with_key text, with_hashes jsonb, of_allowance allowance, of_period date,
  posting_limit int, checks_districts boolean, with_status job_status, by_actor text, at_time timestamptz, sent jsonb
) RETURNS SETOF jobs LANGUAGE plpgsql AS $$
DECLARE
  made jobs := jsonb_populate_record(NULL::jobs, sent);
  last_id bigint;
BEGIN
  IF posting_limit = 0 THEN RETURN; END IF;
  PERFORM FROM idempotency_keys WHERE company_id = of_company AND environment = in_environment AND key = with_key;
  IF FOUND THEN RETURN; END IF;
  PERFORM FROM categories child JOIN categories area ON area.id = child.parent_id
    WHERE child.id = made.category_id AND child.active AND area.active;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM FROM districts WHERE id = made.district_id;
  IF NOT FOUND THEN RETURN; END IF;
  IF checks_districts THEN
    PERFORM FROM allowed_districts WHERE company_id = of_company AND district_id = made.district_id;
    IF NOT FOUND THEN
      PERFORM FROM allowed_districts WHERE company_id = of_company LIMIT 1;
      IF FOUND THEN RETURN; END IF;
    END IF;
  END IF;

  -- Of simultaneous creates, each waits here for the one before and then sees its count.
  INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
    VALUES (of_company, of_allowance, of_period, 1)
    ON CONFLICT (company_id, allowance, period_start)
      DO UPDATE SET used = usage.used + 1 WHERE posting_limit < 0 OR usage.used < posting_limit;
  IF NOT FOUND THEN RETURN; END IF;

  SELECT max(id) INTO last_id FROM jobs WHERE company_id = of_company AND environment = in_environment;
  made.id := greatest(nextval('jobs_id_seq'), last_id + 1);
  made.company_id := of_company;
  made.environment := in_environment;
  made.revision := 1;
  made.status := with_status;
  made.is_anonymous := false;
  made.created_at := at_time;
  made.updated_at := at_time;
  made.salary_negotiable := coalesce(made.salary_negotiable, false);
  INSERT INTO jobs VALUES (made.*);
  PERFORM add_job_event(of_company, in_environment, made.id, 'created', with_status, by_actor, at_time, NULL);
  INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
    VALUES (of_company, in_environment, with_key, with_hashes, made.id, at_time);
  RETURN NEXT made;
END $$;

-- Writes the fields that were sent and the status, and adds an event. Returns no row and changes nothing if the job has another revision
-- than the caller has read.
CREATE OR REPLACE FUNCTION update_job(
  of_company bigint, in_environment environment, of_job bigint, read_revision int, with_status job_status, by_actor text,
  at_time timestamptz, sent jsonb
) RETURNS SETOF jobs LANGUAGE plpgsql AS $$
DECLARE
  changed jobs;
  edit_revision int;
BEGIN
  SELECT * INTO changed FROM jobs
    WHERE company_id = of_company AND environment = in_environment AND id = of_job AND revision = read_revision;
  IF NOT FOUND THEN RETURN; END IF;
  IF changed.status = with_status THEN edit_revision := read_revision + 1; END IF;
  changed := jsonb_populate_record(changed, sent);
  changed.status := with_status;
  changed.updated_at := at_time;
  changed.revision := read_revision + 1;
  IF with_status <> 'denied' THEN changed.denial_reason := NULL; END IF;
  UPDATE jobs SET
    status = changed.status, updated_at = changed.updated_at, revision = changed.revision, denial_reason = changed.denial_reason,
    title = changed.title,
    body = changed.body,
    contact_instructions = changed.contact_instructions,
    category_id = changed.category_id,
    district_id = changed.district_id,
    application_method = changed.application_method,
    contact_email = changed.contact_email,
    contact_phone = changed.contact_phone,
    external_application_url = changed.external_application_url,
    requirements = changed.requirements,
    salary_benefits = changed.salary_benefits,
    remote_policy = changed.remote_policy,
    valid_until = changed.valid_until,
    salary_min = changed.salary_min,
    salary_max = changed.salary_max,
    salary_negotiable = changed.salary_negotiable,
    salary_type = changed.salary_type,
    experience_years = changed.experience_years,
    education_details = changed.education_details,
    professional_requirements = changed.professional_requirements,
    language_requirements = changed.language_requirements,
    contract_type = changed.contract_type,
    work_modality = changed.work_modality,
    education_level = changed.education_level
    WHERE company_id = of_company AND environment = in_environment AND id = of_job AND revision = read_revision;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM add_job_event(of_company, in_environment, of_job, 'updated', with_status, by_actor, at_time, edit_revision);
  RETURN NEXT changed;
END $$;
