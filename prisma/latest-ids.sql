-- The text of the query for the greatest id that each sequence gave, by node, as the sequence's table and the idempotency keys have it. It is made
-- from the catalogue, so a new table needs no line here. Citus' workers number rows from their group times 2^48 on. Tables that the role may
-- not read are left out.
SELECT string_agg(format('SELECT %L::text AS name, %I::bigint >> 48 AS node, max(%2$I)::bigint AS id FROM %s GROUP BY 2 UNION ALL ',
                         relname, attname, attrelid::regclass), '')
    || $$SELECT coalesce(resource, 'jobs') || '_id_seq', coalesce(resource_id, job_id) >> 48, max(coalesce(resource_id, job_id))
           FROM idempotency_keys GROUP BY 1, 2$$
       AS query
  FROM pg_class s JOIN pg_depend ON objid = s.oid JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
 WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace AND has_table_privilege(attrelid, 'SELECT')
   AND classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')
