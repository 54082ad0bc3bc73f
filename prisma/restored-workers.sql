-- With Citus, the same check for the workers' sequences: each worker numbers its rows from its group times 2^48 on. Sequences that the role
-- may not read are left out.
WITH latest AS MATERIALIZED (
  SELECT 'credentials_id_seq' AS name, id >> 48 AS node, max(id) AS id FROM credentials GROUP BY 1, 2
  UNION ALL SELECT 'jobs_id_seq', id >> 48, max(id) FROM jobs GROUP BY 1, 2
  UNION ALL SELECT 'job_events_id_seq', id >> 48, max(id) FROM job_events GROUP BY 1, 2
  UNION ALL SELECT 'request_log_id_seq', id >> 48, max(id) FROM request_log GROUP BY 1, 2
),
numbered AS MATERIALIZED (
  SELECT groupid AS node, key AS name, value::bigint AS id
    FROM run_command_on_workers($$
           SELECT json_object_agg(seqrelid::regclass::text, coalesce(pg_sequence_last_value(seqrelid), 0)) FROM pg_sequence
            WHERE has_sequence_privilege(seqrelid, 'SELECT')$$)
    JOIN pg_dist_node USING (nodename, nodeport), json_each_text(result::json)
)
SELECT count(*) || ' sequences of workers behind their table' AS problem
  FROM latest JOIN numbered USING (node, name) WHERE latest.id > numbered.id HAVING count(*) > 0
