-- The last id of a company's jobs and of a job's events is read by the primary key in its order. For max(id), PostgreSQL took any index
-- that begins with the company while a table had no statistics, and read all of its entries; for a list of ids, all events of the job.
-- The signatures are the same.

-- Adds an event to a job's history, after the job's others (see create_job); the caller holds the job's lock. `edit_revision` is the job's
-- revision after a change that kept the status, else null: of edits the latest 200 are kept, and at most 500 older ones are deleted at once.
CREATE OR REPLACE FUNCTION add_job_event(
  of_company bigint, in_environment environment, of_job bigint, of_kind job_event_kind, with_status job_status, by_actor text,
  at_time timestamptz, edit_revision int
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_id bigint;
  oldest bigint;
  latest bigint;
BEGIN
  SELECT id INTO last_id FROM job_events
    WHERE company_id = of_company AND environment = in_environment AND job_id = of_job ORDER BY id DESC LIMIT 1;
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

  SELECT id INTO last_id FROM jobs WHERE company_id = of_company AND environment = in_environment ORDER BY id DESC LIMIT 1;
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
