#!/bin/sh
# As the official image: initializes an empty PGDATA with the user, password and database of the environment, then runs the server.
set -eu
[ "${1#-}" = "${1:-}" ] || set -- postgres "$@"
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?is not set}" "${POSTGRES_USER:=postgres}"
  mkdir -p "$PGDATA" && chmod 700 "$PGDATA"
  password=$(mktemp) && printf '%s\n' "$POSTGRES_PASSWORD" >"$password"
  initdb --username="$POSTGRES_USER" --pwfile="$password" --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  rm "$password"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start >/dev/null
  [ "${POSTGRES_DB:-$POSTGRES_USER}" = postgres ] || createdb -U "$POSTGRES_USER" "${POSTGRES_DB:-$POSTGRES_USER}"
  pg_ctl -D "$PGDATA" -m fast -w stop >/dev/null
fi
if [ "$1" = postgres ]; then shift; exec postgres -c listen_addresses='*' "$@"; fi
exec "$@"
