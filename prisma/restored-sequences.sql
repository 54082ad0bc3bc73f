-- The sequences that would give an id again. latest-ids.sql returns the text of :latest_ids. Sequences that the role may not read are left out.
WITH latest AS MATERIALIZED (:latest_ids),
numbered AS MATERIALIZED (
  SELECT relname::text AS name, coalesce(pg_sequence_last_value(seqrelid), 0) AS id FROM pg_sequence JOIN pg_class ON oid = seqrelid
   WHERE relnamespace = current_schema()::regnamespace AND has_sequence_privilege(seqrelid, 'SELECT')
)
SELECT count(DISTINCT name) || ' sequences behind their table' AS problem
  FROM latest JOIN numbered USING (name) WHERE node = 0 AND latest.id > numbered.id HAVING count(*) > 0
