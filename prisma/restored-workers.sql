-- With Citus, the same check as in restored-sequences.sql for the workers' sequences. Those that the role may not read are left out, too.
WITH latest AS MATERIALIZED (:latest_ids),
numbered AS MATERIALIZED (
  SELECT groupid AS node, key AS name, value::bigint AS id
    FROM run_command_on_workers($$
           SELECT json_object_agg(seqrelid::regclass::text, coalesce(pg_sequence_last_value(seqrelid), 0)) FROM pg_sequence
            WHERE has_sequence_privilege(seqrelid, 'SELECT')$$)
    JOIN pg_dist_node USING (nodename, nodeport), json_each_text(result::json)
)
SELECT count(DISTINCT (node, name)) || ' sequences of workers behind their table' AS problem
  FROM latest JOIN numbered USING (node, name) WHERE latest.id > numbered.id HAVING count(*) > 0
