-- Creates the database and its two roles; for psql, as a superuser. The two variables name files with the passwords. If another role has
-- migrated the database before, put that in place of vaga_owner, and leave out what creates the two. The service reads sequences for backups;
-- `npm run migrate` takes from it what would change the audit trail or the list of migrations.
\set ON_ERROR_STOP on
\set owner_password `cat "$OWNER_PASSWORD_FILE"`
\set service_password `cat "$SERVICE_PASSWORD_FILE"`
CREATE ROLE vaga_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE vaga_service LOGIN PASSWORD :'service_password';
CREATE DATABASE vaga OWNER vaga_owner;
REVOKE CONNECT ON DATABASE vaga FROM PUBLIC;
GRANT CONNECT ON DATABASE vaga TO vaga_service;
\connect vaga
ALTER DEFAULT PRIVILEGES FOR ROLE vaga_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO vaga_service;
ALTER DEFAULT PRIVILEGES FOR ROLE vaga_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO vaga_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO vaga_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO vaga_service;
