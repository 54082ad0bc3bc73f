import type { JsonObject } from './generate-document.ts';
import { isNullableColumn, jobFieldsOf } from './job-fields.ts';

/**
 * SQL of the database functions that name every field of a job; each migration of the fields ends with it. The function that withdraws
 * and the one that reviews are in their own migration. A company's id is the first argument, so that Citus can run a function where
 * that company's rows are. A function must work for the version of the service before it: `sent` may lack a field.
 */
export function renderJobFunctions(document: JsonObject): string {
  const fields = jobFieldsOf(document);
  const defaults = fields
    .filter((field) => field.kind === 'boolean' && !isNullableColumn(field))
    .map(({ name, schema }) => `  made.${name} := coalesce(made.${name}, ${schema['x-default']});\n`);
  const names = fields.map(({ name }) => name);
  return `${createJob(defaults.join(''))}\n${updateJob(names)}`;
}

const createJob = (defaults: string): string => `\
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
${defaults}  INSERT INTO jobs VALUES (made.*);
  PERFORM add_job_event(of_company, in_environment, made.id, 'created', with_status, by_actor, at_time, NULL);
  INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
    VALUES (of_company, in_environment, with_key, with_hashes, made.id, at_time);
  RETURN NEXT made;
END $$;
`;

const updateJob = (names: readonly string[]): string => `\
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
${names.map((name) => `    ${name} = changed.${name}`).join(',\n')}
    WHERE company_id = of_company AND environment = in_environment AND id = of_job AND revision = read_revision;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM add_job_event(of_company, in_environment, of_job, 'updated', with_status, by_actor, at_time, edit_revision);
  RETURN NEXT changed;
END $$;
`;
