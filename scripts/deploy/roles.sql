-- Creates the database and its two roles, or gives the existing ones these passwords; for psql, as a superuser (make-roles.sh calls it). The two
-- variables name files with the passwords. If another role has migrated the database before, put that in place of vaga_owner. The service
-- reads sequences for backups. It never changes the audit trail or the list of migrations: `npm run migrate` takes that right away, and the
-- last statement, where they are there already.
\set ON_ERROR_STOP on
\if :{?owner_password}
\else
  \set owner_password `cat "$OWNER_PASSWORD_FILE"`
  \set service_password `cat "$SERVICE_PASSWORD_FILE"`
\endif
-- The server's log must not show the passwords.
SET log_statement = none;
SET log_min_duration_statement = -1;
SET log_min_error_statement = panic;
SELECT length(:'owner_password') < 16 OR length(:'service_password') < 16 AS lacks_password \gset
\if :lacks_password
  DO $$ BEGIN RAISE EXCEPTION 'a password cannot be read, or has fewer than 16 characters'; END $$;
\endif
SELECT format('CREATE ROLE %I LOGIN', name) FROM unnest('{vaga_owner,vaga_service}'::text[]) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
-- A password that is written anew has another hash, and PgBouncer knows the former one.
\if :{?owner_signs_in}
\else
  ALTER ROLE vaga_owner PASSWORD :'owner_password';
\endif
\if :{?service_signs_in}
\else
  ALTER ROLE vaga_service PASSWORD :'service_password';
\endif
-- A server with the locale C would fold only the letters of ASCII in searches.
SELECT 'CREATE DATABASE vaga OWNER vaga_owner ENCODING UTF8 TEMPLATE template0' || coalesce(
    (SELECT format(' LC_CTYPE %L', collctype) FROM pg_collation, pg_database
      WHERE datname = 'template0' AND datctype IN ('C', 'POSIX') AND lower(collctype) IN ('c.utf8', 'c.utf-8') LIMIT 1), '')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'vaga') \gexec
REVOKE CONNECT ON DATABASE vaga FROM PUBLIC;
GRANT CONNECT ON DATABASE vaga TO vaga_service;
\connect vaga
-- At no moment may the service change the audit trail.
BEGIN;
ALTER DEFAULT PRIVILEGES FOR ROLE vaga_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO vaga_service;
ALTER DEFAULT PRIVILEGES FOR ROLE vaga_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO vaga_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO vaga_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO vaga_service;
SELECT format('REVOKE %s FROM vaga_service', rights)
  FROM unnest('{"UPDATE, DELETE ON audit_entries","INSERT, UPDATE, DELETE ON _prisma_migrations"}'::text[]) AS rights
 WHERE to_regclass('audit_entries') IS NOT NULL AND to_regclass('_prisma_migrations') IS NOT NULL \gexec
COMMIT;
