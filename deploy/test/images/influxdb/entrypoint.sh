#!/bin/sh
# As the official image: on an empty volume creates the administrator and the database before the server is open to others.
set -eu
[ "${1#-}" = "${1:-}" ] || set -- influxd "$@"
if [ "$1" = influxd ] && [ ! -f /var/lib/influxdb/meta/meta.db ] && [ -n "${INFLUXDB_ADMIN_USER:-}" ]; then
  INFLUXDB_HTTP_BIND_ADDRESS=127.0.0.1:8086 influxd -config /etc/influxdb/influxdb.conf >/dev/null 2>&1 &
  server=$!
  query() { curl -sf "http://127.0.0.1:8086/query" "$@" >/dev/null; }
  until curl -sf http://127.0.0.1:8086/ping; do kill -0 "$server"; sleep 0.2; done
  query --data-urlencode "q=CREATE USER \"$INFLUXDB_ADMIN_USER\" WITH PASSWORD '$INFLUXDB_ADMIN_PASSWORD' WITH ALL PRIVILEGES"
  [ -z "${INFLUXDB_DB:-}" ] || query -u "$INFLUXDB_ADMIN_USER:$INFLUXDB_ADMIN_PASSWORD" --data-urlencode "q=CREATE DATABASE \"$INFLUXDB_DB\""
  kill "$server"; wait "$server" || true
fi
if [ "$1" = influxd ]; then shift; exec influxd -config /etc/influxdb/influxdb.conf "$@"; fi
exec "$@"
