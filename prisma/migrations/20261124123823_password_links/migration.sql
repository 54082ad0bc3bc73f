-- AlterTable
ALTER TABLE "administrators" ADD COLUMN     "link_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "link_hash" BYTEA;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "link_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "link_hash" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "administrators_link_hash_key" ON "administrators"("link_hash");

-- CreateIndex
CREATE UNIQUE INDEX "users_link_hash_key" ON "users"("link_hash");
