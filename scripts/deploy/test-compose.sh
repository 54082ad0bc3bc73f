#!/bin/sh
# Runs compose.yaml as a project of its own, tests it from the host as a proxy would call it, and removes it. Needs Docker with compose,
# the images that the two files name, and free ports 80, 443, 3000 and 3001. Caddy uses its internal certificate.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
compose() { docker compose --project-name vaga-test --profile https --file compose.yaml --file "$work/secrets.yaml" "$@"; }
trap 'compose down --volumes --timeout 5 >/dev/null 2>&1; rm -rf "$work"' EXIT

export DOMAIN=api.example.com COMMIT=1234abcd
for name in superuser-password owner-password service-password; do openssl rand -hex 24 >"$work/$name"; done
cat "$work"/*-password >"$work/secrets"
for role in owner service; do echo "postgresql://vaga_$role:$(cat "$work/$role-password")@database/vaga" >"$work/$role-url"; done
{ printf '{\n\tlocal_certs\n}\n'; cat Caddyfile; } >"$work/Caddyfile"
cat >"$work/secrets.yaml" <<END
services:
  caddy: { volumes: ['$work/Caddyfile:/etc/caddy/Caddyfile:ro'] }
secrets:
  superuser-password: { file: $work/superuser-password }
  owner-password: { file: $work/owner-password }
  service-password: { file: $work/service-password }
  owner-url: { file: $work/owner-url }
  database-url: { file: $work/service-url }
END

# The service waits for the migrations, and these for the database.
compose up --build --detach
test "$(docker inspect --format '{{.State.ExitCode}}' vaga-test-migrate-1)" = 0
await_health() {
  tries=60
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; do
    tries=$((tries - 1))
    if [ "$tries" = 0 ]; then compose logs; exit 1; fi
    sleep 1
  done
}
for service in database vaga-1 vaga-2; do await_health "vaga-test-$service-1"; done

# Only Caddy is published, and the processes on the loopback address.
published=$(docker ps --filter label=com.docker.compose.project=vaga-test --format '{{.Names}} {{.Ports}}' | grep -e '->' | grep -v caddy)
test "$(echo "$published" | sort)" = 'vaga-test-vaga-1-1 127.0.0.1:3000->3000/tcp
vaga-test-vaga-2-1 127.0.0.1:3001->3000/tcp'

status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
proxied() { status "http://127.0.0.1:3000$1" -H 'Host: api.example.com' -H 'X-Forwarded-For: 203.0.113.7' -H 'X-Forwarded-Proto: https'; }
test "$(status http://127.0.0.1:3000/v1/account)" = 400
test "$(proxied /v1/account)" = 401
test "$(proxied /readyz)" = 200
test "$(status --insecure --resolve api.example.com:443:127.0.0.1 https://api.example.com/v1/account)" = 401
test "$(status --resolve api.example.com:80:127.0.0.1 http://api.example.com/v1/account)" = 400

# No container runs as root, keeps a capability, writes to its image, or has a secret in its settings.
for service in vaga-1 vaga-2 database; do
  compose exec -T "$service" sh -ec '
    [ "$(id -u)" != 0 ]
    [ "$(grep -cE "^Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]" /proc/1/status)" = 0 ]
    grep -q "^[^ ]* / [^ ]* ro," /proc/mounts'
  if docker inspect "vaga-test-$service-1" | grep -F -f "$work/secrets"; then exit 1; fi
done
# PostgreSQL has no way out.
test "$(docker network inspect --format '{{.Internal}}' vaga-test_inside)" = true
test "$(docker inspect --format '{{len .NetworkSettings.Networks}}' vaga-test-database-1)" = 1

ops() { compose exec -T vaga-1 node dist/src/cli/ops.js "$@"; }
ops --version | grep -F "$COMMIT"
ops company create --name 'Oficina Exemplo' --plan Pro --verified --json | grep -q '"company_id":1'
ops doctor >"$work/doctor" || true
for check in settings database migrations; do grep "^ok: $check:" "$work/doctor"; done

# One process is replaced after the other, and a client of Caddy notices nothing.
through_caddy() { status --insecure --max-time 10 --resolve api.example.com:443:127.0.0.1 https://api.example.com/v1/account; }
: >"$work/statuses"
while [ ! -e "$work/replaced" ]; do through_caddy >>"$work/statuses"; echo >>"$work/statuses"; done &
before=$(docker inspect --format '{{.Id}}' vaga-test-vaga-1-1 vaga-test-vaga-2-1)
compose run --rm migrate
for process in vaga-1 vaga-2; do compose up --detach --no-deps --wait --force-recreate $process; done
touch "$work/replaced"
wait
test "$(sort -u "$work/statuses")" = 401
for id in $before; do if docker inspect "$id" >/dev/null 2>&1; then exit 1; fi; done

# A stop is clean, and the data outlive the containers.
compose stop vaga-1 vaga-2
for n in 1 2; do test "$(docker inspect --format '{{.State.ExitCode}}' "vaga-test-vaga-$n-1")" = 0; done
compose down
compose up --detach
await_health vaga-test-vaga-2-1
ops company create --name 'Outra Oficina' --plan Pro --verified --json | grep -q '"company_id":2'
echo 'compose.yaml works'
