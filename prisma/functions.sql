-- The functions that change jobs. `npm run migrate` applies this file if its text differs from the text applied last. A company's id is
-- their first argument, so that Citus runs them on the company's node. They also serve processes of the version before, which may send
-- fewer fields: a function with another signature or meaning gets a new name, and the next version's migration drops the old one. In
-- `refusals` they return why they changed nothing, beside the current job. `use_variable`: a field may have the name of an argument.

-- Why a job cannot be in a category and a district (NULL is not checked): `category` (it accepts no jobs), `area` (a main area accepts
-- none), `district` (it does not exist), `elsewhere` (the company may not publish there).
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
      -- NULL without a list of districts: the company may publish everywhere.
      SELECT bool_or(district_id = in_district) INTO is_allowed FROM allowed_districts WHERE company_id = of_company;
      IF NOT is_allowed THEN of_district := 'elsewhere'; END IF;
    END IF;
  END IF;
  RETURN array_remove(ARRAY[of_category, of_district], NULL);
END $$;

-- Whether a credential still has the rights that its request was judged by. If it has, it keeps them until the transaction ends: each change
-- of a company by people locks the company's row first, as this does. The lock is theirs, because weaker ones that several requests hold
-- together could keep people waiting. A change of a plan locks no company, so it holds for the statements that begin after it.
CREATE OR REPLACE FUNCTION hold_rights(of_company bigint, rights jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  had_credential bigint := rights ->> 'credential';
  had_access access := rights ->> 'access';
  had_expires_at timestamptz := rights ->> 'expires_at';
  had_revoked_at timestamptz := rights ->> 'revoked_at';
  had_verified boolean := rights ->> 'verified';
  had_suspended_at timestamptz := rights ->> 'suspended_at';
  had_approved_at timestamptz := rights ->> 'approved_at';
  had_auto_publish boolean := rights ->> 'auto_publish';
  had_plan_limit int := rights ->> 'plan_limit';
  had_plan_eligible boolean := rights ->> 'plan_eligible';
  had_plan_started_on date := rights ->> 'plan_started_on';
  had_plan_ends_at timestamptz := rights ->> 'plan_ends_at';
  had_grant_limit int := rights ->> 'grant_limit';
  had_grant_started_on date := rights ->> 'grant_started_on';
  had_grant_expires_on date := rights ->> 'grant_expires_on';
BEGIN
  PERFORM 1 FROM companies WHERE id = of_company FOR NO KEY UPDATE;
  -- A statement of its own, so that it sees the changes that the lock waited for.
  PERFORM 1
    FROM credentials c
    JOIN companies co ON co.id = c.company_id
    LEFT JOIN subscriptions s ON s.company_id = c.company_id
    LEFT JOIN plans p ON p.id = s.plan_id
    LEFT JOIN complimentary_grants g ON g.company_id = c.company_id
   WHERE c.company_id = of_company AND c.id = had_credential
     AND (c.access, c.expires_at, c.revoked_at) IS NOT DISTINCT FROM (had_access, had_expires_at, had_revoked_at)
     AND (co.verified, co.suspended_at, co.production_approved_at, co.auto_publish)
         IS NOT DISTINCT FROM (had_verified, had_suspended_at, had_approved_at, had_auto_publish)
     AND (p.posting_limit, p.api_eligible, s.started_on, s.ends_at)
         IS NOT DISTINCT FROM (had_plan_limit, had_plan_eligible, had_plan_started_on, had_plan_ends_at)
     AND (g.monthly_limit, g.started_on, g.expires_on)
         IS NOT DISTINCT FROM (had_grant_limit, had_grant_started_on, had_grant_expires_on);
  RETURN FOUND;
END $$;

-- Adds an event at the end of a job's history; the caller holds the job's lock. On Citus, each node numbers events in its own range, and
-- people's decisions go through the coordinator. `edit_revision` is the job's revision after a change that kept the status, otherwise null:
-- the latest 200 edits are kept, and at most 500 older ones are deleted at once.
CREATE OR REPLACE FUNCTION add_job_event(
  of_company bigint, in_environment environment, of_job bigint, of_kind job_event_kind, with_status job_status, by_actor text,
  at_time timestamptz, edit_revision int
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  last_id bigint;
  with_reason text;
  oldest bigint;
  latest bigint;
BEGIN
  IF of_kind <> 'created' THEN
    SELECT id INTO last_id FROM job_events
      WHERE company_id = of_company AND environment = in_environment AND job_id = of_job ORDER BY id DESC LIMIT 1;
  END IF;
  IF of_kind = 'denied' THEN
    SELECT denial_reason INTO with_reason FROM jobs
      WHERE company_id = of_company AND environment = in_environment AND id = of_job;
  END IF;
  INSERT INTO job_events (company_id, environment, job_id, id, kind, status, actor, created_at, is_edit, reason)
    VALUES (of_company, in_environment, of_job, greatest(nextval('job_events_id_seq'), last_id + 1), of_kind, with_status, by_actor,
            at_time, edit_revision IS NOT NULL, with_reason);
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

-- Consumes one posting, inserts a job with its first event, and binds the idempotency key. Or changes nothing and returns the reason: `key`
-- (already used; `claimed` has the hashes that it was used with, `job` the job that it created, if it still exists), a reason of
-- place_refusals, or `quota` (`counted` is the number of postings; a negative limit means none).
CREATE OR REPLACE FUNCTION try_create_job(
  of_company bigint, in_environment environment, with_key text, with_hashes jsonb, of_allowance allowance, of_period date,
  posting_limit int, checks_districts boolean, with_status job_status, by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], claimed jsonb, counted int, job jobs) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  made jobs := jsonb_populate_record(NULL::jobs, sent);
BEGIN
  LOOP
    -- Of simultaneous creates with the same key, later ones wait here for the first.
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
  -- Each simultaneous create waits here for the one before and then sees its count.
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

  -- After that wait, so that creates are acknowledged in the order of their jobs' ids.
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

-- The same for a credential. Changes nothing and returns no row if hold_rights refuses.
CREATE OR REPLACE FUNCTION try_create_job_as(
  of_company bigint, rights jsonb, in_environment environment, with_key text, with_hashes jsonb, of_allowance allowance, of_period date,
  posting_limit int, checks_districts boolean, with_status job_status, by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], claimed jsonb, counted int, job jobs) LANGUAGE plpgsql AS $$
BEGIN
  IF hold_rights(of_company, rights) THEN
    RETURN QUERY SELECT * FROM try_create_job(
      of_company, in_environment, with_key, with_hashes, of_allowance, of_period, posting_limit, checks_districts, with_status, by_actor,
      at_time, sent);
  END IF;
END $$;

-- Writes the sent fields and the status of a job, with an event, if the job is as the caller read it (read_at NULL: in any version, but
-- with another status). Or returns the reason: `missing`, `changed` (no longer as it was read), a reason of place_refusals, or `status` (it
-- already has that status). A withdrawal keeps the reason of a denial.
CREATE OR REPLACE FUNCTION try_change_job(
  of_company bigint, in_environment environment, of_job bigint, read_at timestamptz, read_status job_status, checks_districts boolean,
  with_status job_status, with_reason text, of_kind job_event_kind, by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], job jobs) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  made jobs := jsonb_populate_record(NULL::jobs, sent);
BEGIN
  refusals := place_refusals(of_company, made.category_id, made.district_id, checks_districts);
  IF refusals = '{}' THEN
    UPDATE jobs AS stored SET
      status = with_status,
      -- Through UTC, which is immutable: on one node, an UPDATE allows no expression that depends on the session's time zone.
      updated_at = greatest(at_time, (stored.updated_at AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC'),
      revision = stored.revision + 1,
      denial_reason = CASE WHEN of_kind = 'withdrawn' THEN stored.denial_reason ELSE with_reason END,
      -- The fields of the contract: written by `npm run generate`.
      "title" = CASE WHEN sent ? 'title' THEN made."title" ELSE stored."title" END,
      "body" = CASE WHEN sent ? 'body' THEN made."body" ELSE stored."body" END,
      "contact_instructions" = CASE WHEN sent ? 'contact_instructions' THEN made."contact_instructions" ELSE stored."contact_instructions" END,
      "category_id" = CASE WHEN sent ? 'category_id' THEN made."category_id" ELSE stored."category_id" END,
      "district_id" = CASE WHEN sent ? 'district_id' THEN made."district_id" ELSE stored."district_id" END,
      "application_method" = CASE WHEN sent ? 'application_method' THEN made."application_method" ELSE stored."application_method" END,
      "contact_email" = CASE WHEN sent ? 'contact_email' THEN made."contact_email" ELSE stored."contact_email" END,
      "contact_phone" = CASE WHEN sent ? 'contact_phone' THEN made."contact_phone" ELSE stored."contact_phone" END,
      "external_application_url" = CASE WHEN sent ? 'external_application_url' THEN made."external_application_url" ELSE stored."external_application_url" END,
      "requirements" = CASE WHEN sent ? 'requirements' THEN made."requirements" ELSE stored."requirements" END,
      "salary_benefits" = CASE WHEN sent ? 'salary_benefits' THEN made."salary_benefits" ELSE stored."salary_benefits" END,
      "remote_policy" = CASE WHEN sent ? 'remote_policy' THEN made."remote_policy" ELSE stored."remote_policy" END,
      "valid_until" = CASE WHEN sent ? 'valid_until' THEN made."valid_until" ELSE stored."valid_until" END,
      "salary_min" = CASE WHEN sent ? 'salary_min' THEN made."salary_min" ELSE stored."salary_min" END,
      "salary_max" = CASE WHEN sent ? 'salary_max' THEN made."salary_max" ELSE stored."salary_max" END,
      "salary_negotiable" = CASE WHEN sent ? 'salary_negotiable' THEN made."salary_negotiable" ELSE stored."salary_negotiable" END,
      "salary_type" = CASE WHEN sent ? 'salary_type' THEN made."salary_type" ELSE stored."salary_type" END,
      "experience_years" = CASE WHEN sent ? 'experience_years' THEN made."experience_years" ELSE stored."experience_years" END,
      "education_details" = CASE WHEN sent ? 'education_details' THEN made."education_details" ELSE stored."education_details" END,
      "professional_requirements" = CASE WHEN sent ? 'professional_requirements' THEN made."professional_requirements" ELSE stored."professional_requirements" END,
      "language_requirements" = CASE WHEN sent ? 'language_requirements' THEN made."language_requirements" ELSE stored."language_requirements" END,
      "contract_type" = CASE WHEN sent ? 'contract_type' THEN made."contract_type" ELSE stored."contract_type" END,
      "work_modality" = CASE WHEN sent ? 'work_modality' THEN made."work_modality" ELSE stored."work_modality" END,
      "education_level" = CASE WHEN sent ? 'education_level' THEN made."education_level" ELSE stored."education_level" END
      -- End of the fields of the contract.
      WHERE stored.company_id = of_company AND stored.environment = in_environment AND stored.id = of_job
        AND CASE WHEN read_at IS NULL THEN stored.status <> with_status
                 ELSE stored.updated_at = read_at AND stored.status = read_status END
      RETURNING stored.* INTO job;
    IF FOUND THEN
      PERFORM add_job_event(of_company, in_environment, of_job, of_kind, with_status, by_actor, job.updated_at,
                            CASE WHEN read_status = with_status OR sent <> '{}' AND by_actor NOT LIKE 'credential:%' THEN job.revision END);
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;
  SELECT * INTO job FROM jobs WHERE company_id = of_company AND environment = in_environment AND id = of_job;
  refusals := CASE
    WHEN NOT FOUND THEN '{missing}'
    WHEN job.updated_at <> read_at OR job.status <> read_status THEN '{changed}'
    WHEN refusals <> '{}' THEN refusals
    ELSE '{status}'
  END;
  RETURN NEXT;
END $$;

-- The same for a credential. Changes nothing and returns no row if hold_rights refuses.
CREATE OR REPLACE FUNCTION try_change_job_as(
  of_company bigint, rights jsonb, in_environment environment, of_job bigint, read_at timestamptz, read_status job_status,
  checks_districts boolean, with_status job_status, with_reason text, of_kind job_event_kind, by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], job jobs) LANGUAGE plpgsql AS $$
BEGIN
  IF hold_rights(of_company, rights) THEN
    RETURN QUERY SELECT * FROM try_change_job(
      of_company, in_environment, of_job, read_at, read_status, checks_districts, with_status, with_reason, of_kind, by_actor, at_time, sent);
  END IF;
END $$;
