#!/bin/sh
# Runs a command with the user, settings and credentials of vaga@.service: sudo scripts/deploy/as-service.sh node dist/scripts/migrate.js
# DATABASE_URL_FILE names another file with an address, such as that of the owner's role. Without any file, vaga.env names the database. The
# folder `current` is missing (-) until the first release has migrated.
set -eu
if [ -n "${DATABASE_URL:-}" ]; then
  echo 'DATABASE_URL is not passed on: put the address into a file that DATABASE_URL_FILE names.' >&2
  exit 1
fi
file=${DATABASE_URL_FILE:-/etc/vaga/database-url}
if [ -n "${DATABASE_URL_FILE:-}" ] && [ ! -e "$file" ]; then
  echo "There is no file $file, which DATABASE_URL_FILE names." >&2
  exit 1
fi
if [ -e "$file" ]; then
  set -- "--property=LoadCredential=database-url:$file" sh -c 'DATABASE_URL_FILE=$CREDENTIALS_DIRECTORY/database-url exec "$@"' sh "$@"
fi
exec systemd-run --quiet --pipe --wait --collect \
  --property=User=vaga --property=DynamicUser=yes --property=StateDirectory=vaga --property=WorkingDirectory=-/opt/vaga/current \
  --property=EnvironmentFile=/etc/vaga/vaga.env \
  --setenv=NODE_ENV=production --setenv=VAGA_OPERATOR="${VAGA_OPERATOR:-${SUDO_USER:-root}}" \
  "$@"
