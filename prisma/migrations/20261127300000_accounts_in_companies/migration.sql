-- An account is a person in a company: an address may have one in each. The version before finds an account by its address. For an address with
-- one account nothing changes. Of an address with several, it finds the one that the database returns first: at sign-in the passwords of the
-- others are wrong, and commands and pages find the others unknown, until the service is upgraded. What it creates is right.

-- CreateIndex
CREATE UNIQUE INDEX "users_company_id_email_key" ON "users"("company_id", "email");

-- CreateIndex
CREATE INDEX "users_email_idx" ON "users"("email");

-- DropIndex
DROP INDEX "users_email_key";
