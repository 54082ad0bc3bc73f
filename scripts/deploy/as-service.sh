#!/bin/sh
# Runs a command with the user, settings and credentials of vaga@.service:
# sudo scripts/deploy/as-service.sh node dist/src/cli/ops.js doctor
# DATABASE_URL_FILE names another file, such as the address with the owner's role, for node dist/scripts/migrate.js.
set -eu
exec systemd-run --quiet --pipe --wait --collect \
  --property=User=vaga --property=DynamicUser=yes --property=WorkingDirectory=/opt/vaga/current \
  --property=EnvironmentFile=/etc/vaga/vaga.env \
  --property=LoadCredential="database-url:${DATABASE_URL_FILE:-/etc/vaga/database-url}" \
  --setenv=NODE_ENV=production --setenv=VAGA_OPERATOR="${VAGA_OPERATOR:-${SUDO_USER:-root}}" \
  sh -c 'DATABASE_URL_FILE=$CREDENTIALS_DIRECTORY/database-url exec "$@"' \
  sh "$@"
