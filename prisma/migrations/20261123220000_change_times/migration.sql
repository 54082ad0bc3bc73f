-- A change is later than all others of its company and environment, also if a clock steps back or another process's is behind. So nothing
-- is missing from a list by updated_since. The functions are as before, but for that line; the signatures are the same.

-- The time of a change that begins at `at_time`: after the latest change, where that is at most two hours ahead. Clocks may be wrong by an
-- hour; see list-changes.ts. What is further ahead is left alone, or it would hold up the company's times for good.
CREATE FUNCTION change_time(of_company bigint, in_environment environment, at_time timestamptz)
RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  latest timestamptz;
BEGIN
  SELECT updated_at INTO latest FROM jobs
    WHERE company_id = of_company AND environment = in_environment
      AND updated_at BETWEEN at_time AND at_time + interval '2 hours'
    ORDER BY updated_at DESC LIMIT 1;
  RETURN coalesce(latest + interval '1 millisecond', at_time);
END $$;

-- Changes the status of a job from the one that it must have (NULL: any other than the new one), with an event. Or says why not: `missing`,
-- `status` (it has another, or the new one already), `changed` (it has another revision than was read; NULL: any). The reason of a denial stays
-- if the job is withdrawn.
CREATE OR REPLACE FUNCTION try_decide_job(
  of_company bigint, in_environment environment, of_job bigint, read_revision int, from_status job_status, with_status job_status,
  with_reason text, of_kind job_event_kind, by_actor text, at_time timestamptz
) RETURNS TABLE (refusals text[], job jobs) LANGUAGE plpgsql AS $$
BEGIN
  SELECT * INTO job FROM jobs
    WHERE company_id = of_company AND environment = in_environment AND id = of_job FOR NO KEY UPDATE;
  refusals := CASE
    WHEN NOT FOUND THEN '{missing}'
    WHEN job.status = with_status OR job.status <> from_status THEN '{status}'
    WHEN job.revision <> read_revision THEN '{changed}'
    ELSE '{}'
  END;
  IF refusals = '{}' THEN
    at_time := change_time(of_company, in_environment, at_time);
    UPDATE jobs SET
      status = with_status, updated_at = at_time, revision = revision + 1,
      denial_reason = CASE WHEN with_status = 'inactive' THEN denial_reason ELSE with_reason END
      WHERE company_id = of_company AND environment = in_environment AND id = of_job
      RETURNING * INTO job;
    PERFORM add_job_event(of_company, in_environment, of_job, of_kind, with_status, by_actor, at_time, NULL);
  END IF;
  RETURN NEXT;
END $$;

-- Consumes one posting, inserts a job with its first event, and binds the idempotency key; or says why not and changes nothing: `key` (used;
-- `claimed` has the hashes that it was used with, `job` the job that it created, if that is left), what place_refusals finds, or `quota`
-- (`counted` are the postings; a negative limit is none).
CREATE OR REPLACE FUNCTION try_create_job(
  of_company bigint, in_environment environment, with_key text, with_hashes jsonb, of_allowance allowance, of_period date,
  posting_limit int, checks_districts boolean, with_status job_status, by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], claimed jsonb, counted int, job jobs) LANGUAGE plpgsql AS $$
DECLARE
  made jobs := jsonb_populate_record(NULL::jobs, sent);
BEGIN
  LOOP
    -- A used key answers whatever else is wrong, also if a simultaneous create has used it since the last look.
    PERFORM FROM idempotency_keys WHERE company_id = of_company AND environment = in_environment AND key = with_key;
    IF FOUND THEN
      RETURN QUERY SELECT '{key}'::text[], used.field_hashes, NULL::int, ROW(stored.*)::jobs
        FROM idempotency_keys used
        LEFT JOIN jobs stored
          ON stored.company_id = used.company_id AND stored.environment = used.environment AND stored.id = used.job_id
        WHERE used.company_id = of_company AND used.environment = in_environment AND used.key = with_key;
      IF FOUND THEN RETURN; END IF;
    END IF;
    IF refusals <> '{}' THEN RETURN NEXT; RETURN; END IF;

    refusals := place_refusals(of_company, made.category_id, made.district_id, checks_districts);
    CONTINUE WHEN refusals <> '{}';
    -- Of simultaneous creates, each waits here for the one before and then sees its count.
    IF posting_limit <> 0 THEN
      INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
        VALUES (of_company, of_allowance, of_period, 1)
        ON CONFLICT (company_id, allowance, period_start)
          DO UPDATE SET used = usage.used + 1 WHERE posting_limit < 0 OR usage.used < posting_limit
        RETURNING usage.used INTO counted;
    END IF;
    IF counted IS NULL THEN
      refusals := '{quota}';
      SELECT used INTO counted FROM posting_usage
        WHERE company_id = of_company AND allowance = of_allowance AND period_start = of_period;
      CONTINUE;
    END IF;
    made.id := nextval('jobs_id_seq');
    INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
      VALUES (of_company, in_environment, with_key, with_hashes, made.id, at_time) ON CONFLICT DO NOTHING;
    EXIT WHEN FOUND;
    UPDATE posting_usage SET used = used - 1
      WHERE company_id = of_company AND allowance = of_allowance AND period_start = of_period;
    counted := NULL;
  END LOOP;

  at_time := change_time(of_company, in_environment, at_time);
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
  job := made;
  RETURN NEXT;
END $$;

-- Writes the fields that were sent and the status, and adds an event; without a status it writes nothing. Or says why not: `changed` (the job is
-- gone or has another revision than the caller has read), or what place_refusals finds.
CREATE OR REPLACE FUNCTION try_update_job(
  of_company bigint, in_environment environment, of_job bigint, read_revision int, checks_districts boolean, with_status job_status,
  by_actor text, at_time timestamptz, sent jsonb
) RETURNS TABLE (refusals text[], job jobs) LANGUAGE plpgsql AS $$
DECLARE
  to_district int := sent ->> 'district_id';
  edit_revision int;
BEGIN
  refusals := '{changed}';
  SELECT * INTO job FROM jobs
    WHERE company_id = of_company AND environment = in_environment AND id = of_job AND revision = read_revision;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  refusals := place_refusals(of_company, (sent ->> 'category_id')::int, to_district,
                             checks_districts AND to_district IS DISTINCT FROM job.district_id);
  IF refusals <> '{}' OR with_status IS NULL THEN RETURN NEXT; RETURN; END IF;

  at_time := change_time(of_company, in_environment, at_time);
  IF job.status = with_status THEN edit_revision := read_revision + 1; END IF;
  job := jsonb_populate_record(job, sent);
  job.status := with_status;
  job.updated_at := at_time;
  job.revision := read_revision + 1;
  IF with_status <> 'denied' THEN job.denial_reason := NULL; END IF;
  UPDATE jobs SET
    status = job.status, updated_at = job.updated_at, revision = job.revision, denial_reason = job.denial_reason,
    title = job.title,
    body = job.body,
    contact_instructions = job.contact_instructions,
    category_id = job.category_id,
    district_id = job.district_id,
    application_method = job.application_method,
    contact_email = job.contact_email,
    contact_phone = job.contact_phone,
    external_application_url = job.external_application_url,
    requirements = job.requirements,
    salary_benefits = job.salary_benefits,
    remote_policy = job.remote_policy,
    valid_until = job.valid_until,
    salary_min = job.salary_min,
    salary_max = job.salary_max,
    salary_negotiable = job.salary_negotiable,
    salary_type = job.salary_type,
    experience_years = job.experience_years,
    education_details = job.education_details,
    professional_requirements = job.professional_requirements,
    language_requirements = job.language_requirements,
    contract_type = job.contract_type,
    work_modality = job.work_modality,
    education_level = job.education_level
    WHERE company_id = of_company AND environment = in_environment AND id = of_job AND revision = read_revision;
  IF FOUND THEN
    PERFORM add_job_event(of_company, in_environment, of_job, 'updated', with_status, by_actor, at_time, edit_revision);
  ELSE
    refusals := '{changed}';
  END IF;
  RETURN NEXT;
END $$;
