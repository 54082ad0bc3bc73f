-- CreateEnum
CREATE TYPE "environment" AS ENUM ('sandbox', 'production');

-- CreateEnum
CREATE TYPE "access" AS ENUM ('read', 'write');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('main', 'sub');

-- CreateEnum
CREATE TYPE "job_status" AS ENUM ('pending', 'active', 'inactive', 'expired', 'denied');

-- CreateEnum
CREATE TYPE "allowance" AS ENUM ('subscription', 'complimentary', 'sandbox');

-- CreateTable
CREATE TABLE "plans" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "posting_limit" INTEGER NOT NULL,
    "api_eligible" BOOLEAN NOT NULL,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "companies" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "suspended_at" TIMESTAMPTZ(3),
    "production_approved_at" TIMESTAMPTZ(3),
    "auto_publish" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "company_id" BIGINT NOT NULL,
    "plan_id" INTEGER NOT NULL,
    "started_on" DATE NOT NULL,
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "complimentary_grants" (
    "company_id" BIGINT NOT NULL,
    "monthly_limit" INTEGER NOT NULL,
    "started_on" DATE NOT NULL,
    "expires_on" DATE,

    CONSTRAINT "complimentary_grants_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" BIGSERIAL NOT NULL,
    "company_id" BIGINT NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "administrators" (
    "id" BIGSERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "administrators_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "company_id" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "environment" "environment" NOT NULL,
    "access" "access" NOT NULL,
    "label" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "company_id" BIGINT NOT NULL,
    "environment" "environment" NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "status" "job_status" NOT NULL,
    "denial_reason" TEXT,
    "is_anonymous" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "contact_instructions" TEXT NOT NULL,
    "category_id" INTEGER,
    "district_id" INTEGER,
    "application_method" TEXT NOT NULL,
    "contact_email" TEXT,
    "contact_phone" TEXT,
    "external_application_url" TEXT,
    "requirements" TEXT,
    "salary_benefits" TEXT,
    "remote_policy" TEXT,
    "valid_until" DATE,
    "salary_min" DECIMAL(10,2),
    "salary_max" DECIMAL(10,2),
    "salary_negotiable" BOOLEAN NOT NULL DEFAULT false,
    "salary_type" TEXT,
    "experience_years" INTEGER,
    "education_details" JSONB,
    "professional_requirements" JSONB,
    "language_requirements" JSONB,
    "contract_type" TEXT,
    "work_modality" TEXT,
    "education_level" TEXT,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("company_id","environment","id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "company_id" BIGINT NOT NULL,
    "environment" "environment" NOT NULL,
    "key" TEXT NOT NULL,
    "field_hashes" JSONB NOT NULL,
    "job_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("company_id","environment","key")
);

-- CreateTable
CREATE TABLE "posting_usage" (
    "company_id" BIGINT NOT NULL,
    "allowance" "allowance" NOT NULL,
    "period_start" DATE NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "posting_usage_pkey" PRIMARY KEY ("company_id","allowance","period_start")
);

-- CreateTable
CREATE TABLE "categories" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "parent_id" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "districts" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,

    CONSTRAINT "districts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allowed_districts" (
    "company_id" BIGINT NOT NULL,
    "district_id" INTEGER NOT NULL,

    CONSTRAINT "allowed_districts_pkey" PRIMARY KEY ("company_id","district_id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "company_id" BIGINT,
    "environment" "environment",
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "plans_name_key" ON "plans"("name");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_company_id_id_idx" ON "users"("company_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "administrators_email_key" ON "administrators"("email");

-- CreateIndex
CREATE UNIQUE INDEX "credentials_company_id_secret_hash_key" ON "credentials"("company_id", "secret_hash");

-- CreateIndex
CREATE INDEX "jobs_company_id_environment_status_id_idx" ON "jobs"("company_id", "environment", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "categories_slug_key" ON "categories"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "districts_slug_key" ON "districts"("slug");

-- CreateIndex
CREATE INDEX "audit_entries_company_id_id_idx" ON "audit_entries"("company_id", "id");

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "complimentary_grants" ADD CONSTRAINT "complimentary_grants_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_district_id_fkey" FOREIGN KEY ("district_id") REFERENCES "districts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posting_usage" ADD CONSTRAINT "posting_usage_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "categories"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allowed_districts" ADD CONSTRAINT "allowed_districts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allowed_districts" ADD CONSTRAINT "allowed_districts_district_id_fkey" FOREIGN KEY ("district_id") REFERENCES "districts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
