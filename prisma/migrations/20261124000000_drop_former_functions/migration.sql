-- No process calls these any more. From here on functions are in prisma/functions.sql.
DROP FUNCTION create_job;
DROP FUNCTION update_job;
DROP FUNCTION withdraw_job;
DROP FUNCTION review_job;
