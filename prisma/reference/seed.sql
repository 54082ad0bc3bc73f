-- Inserts the reference data that is missing; rows that exist stay as an administrator may have changed them.
-- $1 plans, $2 districts, $3 categories: JSON arrays. $4: their digest. $5: whether to insert even if this digest was seeded before.
WITH wanted AS (
  SELECT 1 AS needed WHERE $5::boolean OR NOT EXISTS (SELECT FROM service_state WHERE name = 'reference' AND value = to_jsonb($4::text))),
new_plans AS (
  INSERT INTO plans (id, name, posting_limit, api_eligible)
  SELECT r.* FROM wanted, jsonb_to_recordset($1::jsonb) AS r (id int, name text, posting_limit int, api_eligible boolean)
  ON CONFLICT DO NOTHING RETURNING 1),
new_districts AS (
  INSERT INTO districts (id, name, slug)
  SELECT r.* FROM wanted, jsonb_to_recordset($2::jsonb) AS r (id int, name text, slug text)
  ON CONFLICT DO NOTHING RETURNING 1),
new_categories AS (
  INSERT INTO categories (id, name, slug, parent_id, active)
  SELECT r.* FROM wanted, jsonb_to_recordset($3::jsonb) AS r (id int, name text, slug text, parent_id int, active boolean)
  ON CONFLICT DO NOTHING RETURNING 1),
remembered AS (
  INSERT INTO service_state (name, value) SELECT 'reference', to_jsonb($4::text) FROM wanted
  ON CONFLICT (name) DO UPDATE SET value = excluded.value)
SELECT ((SELECT count(*) FROM new_plans) + (SELECT count(*) FROM new_districts)
        + (SELECT count(*) FROM new_categories))::int AS inserted
