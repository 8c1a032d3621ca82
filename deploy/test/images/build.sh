#!/bin/sh
# build.sh COMMAND…: builds the three images; COMMAND is called with a tag and a folder (for example `podman build -t`).
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d); trap 'rm -rf "$build"' EXIT
cp -r postgres nats influxdb "$build"
CGO_ENABLED=0 GOBIN=$build/nats go install github.com/nats-io/nats-server/v2@v2.12.1
for name in postgres nats influxdb; do "$@" "localhost/test-$name:1" "$build/$name"; done
