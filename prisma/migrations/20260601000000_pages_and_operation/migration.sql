-- CreateEnum
CREATE TYPE "job_event_kind" AS ENUM ('created', 'updated', 'withdrawn', 'approved', 'denied');

-- CreateEnum
CREATE TYPE "protocol" AS ENUM ('rest', 'mcp');

-- CreateEnum
CREATE TYPE "realm" AS ENUM ('company', 'administrator');

-- CreateTable
CREATE TABLE "job_events" (
    "company_id" BIGINT NOT NULL,
    "environment" "environment" NOT NULL,
    "job_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" "job_event_kind" NOT NULL,
    "status" "job_status" NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_events_pkey" PRIMARY KEY ("company_id","environment","job_id","id")
);

-- CreateTable
CREATE TABLE "request_log" (
    "company_id" BIGINT NOT NULL,
    "environment" "environment" NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT NOT NULL,
    "protocol" "protocol" NOT NULL,
    "operation" TEXT,
    "status" INTEGER NOT NULL,
    "credential_id" BIGINT NOT NULL,
    "latency_ms" INTEGER NOT NULL,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("company_id","environment","id")
);

-- CreateTable
CREATE TABLE "page_sessions" (
    "realm" "realm" NOT NULL,
    "id_hash" BYTEA NOT NULL,
    "person_id" BIGINT,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "page_sessions_pkey" PRIMARY KEY ("realm","id_hash")
);

-- CreateTable
-- Counters of a minute: losing them with a crash of the database is cheaper than logging each.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "service_state" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,

    CONSTRAINT "service_state_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "request_log_company_id_environment_at_idx" ON "request_log"("company_id", "environment", "at");

-- CreateIndex
CREATE INDEX "page_sessions_realm_person_id_idx" ON "page_sessions"("realm", "person_id");

-- CreateIndex
CREATE INDEX "page_sessions_expires_at_idx" ON "page_sessions"("expires_at");

-- AddForeignKey
ALTER TABLE "job_events" ADD CONSTRAINT "job_events_company_id_environment_job_id_fkey" FOREIGN KEY ("company_id", "environment", "job_id") REFERENCES "jobs"("company_id", "environment", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;
