#!/bin/sh
# Creates the database and its roles, and writes their addresses to files in /etc/vaga (SECRETS), which only root reads. Run it as root on the
# machine of the service. Without PGHOST it uses this machine's server as its user postgres; otherwise, psql's settings of a superuser. It can be
# repeated: a password that is there stays, and a role without its file is left alone.
set -eu
umask 077
unset DATABASE_URL
secrets=${SECRETS:-/etc/vaga}
here=$(dirname "$0")
mkdir -p "$secrets"
case ${PGHOST:-/} in /*) host=127.0.0.1 ;; *) host=$PGHOST ;; esac
at=$host:${PGPORT:-5432}/vaga

superuser() {
  set -- psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname postgres "$@"
  if [ -z "${PGHOST:-}" ] && [ "$(id -u)" = 0 ]; then set -- runuser -u postgres -- "$@"; fi
  (cd / && exec "$@")
}
existing=" $(superuser --tuples-only --no-align --record-separator=' ' --command 'SELECT rolname FROM pg_roles') "

file_of() { if [ "$1" = owner ]; then echo "$secrets/owner-url"; else echo "$secrets/database-url"; fi; }
# Into a new file first: if a later step fails, the next run finds the password there.
for name in owner service; do
  file=$(file_of $name)
  [ ! -s "$file" ] && [ ! -s "$file.new" ] || continue
  case $existing in *" vaga_$name "*)
    echo "There is a role vaga_$name, but no file $file: put its address there, or drop the role." >&2
    exit 1 ;;
  esac
  # Within the words of another command, a failure would not end the script.
  new_password=$(openssl rand -hex 24)
  echo "postgresql://vaga_$name:$new_password@$at" > "$file.new"
done
newest() { if [ -s "$(file_of "$1")" ]; then file_of "$1"; else echo "$(file_of "$1").new"; fi; }
# Decoded, and quoted for \set.
password() {
  decoded=$(DATABASE_URL_FILE=$(newest "$1") node "$here/libpq.mjs" printenv PGPASSWORD)
  printf '%s\n' "$decoded" | sed "s/[\\\\']/\\\\&/g"
}
signs_in() { DATABASE_URL_FILE=$(newest "$1") node "$here/libpq.mjs" psql --no-psqlrc --quiet --command 'SELECT' > /dev/null; }
owner_password=$(password owner)
service_password=$(password service)
{
  for name in owner service; do
    if signs_in $name 2> /dev/null; then echo "\\set ${name}_signs_in 1"; fi
  done
  # Into psql's input: on a command line, every user of the machine would see them.
  printf '%s\n' "\\set owner_password '$owner_password'" "\\set service_password '$service_password'"
  cat "$here/roles.sql"
} | superuser --file -

for name in owner service; do
  signs_in $name
  [ -s "$(file_of $name)" ] || mv "$(file_of $name).new" "$(file_of $name)"
done
echo "The roles vaga_owner and vaga_service use the database vaga at $at; their addresses are in $secrets."
