#!/bin/sh
# build.sh COMMAND…: builds the four images; COMMAND is called with a tag and a folder (for example `podman build -t`).
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d); trap 'rm -rf "$build"' EXIT
cp -r postgres nats influxdb prometheus "$build"
export CGO_ENABLED=0
GOBIN=$build/nats go install github.com/nats-io/nats-server/v2@v2.12.1
# `go install` refuses Prometheus, whose go.mod excludes versions; Debian's knows no Kubernetes.
mkdir "$build/module"
( cd "$build/module" && go mod init module && go get github.com/prometheus/prometheus/cmd/prometheus@v0.313.0 &&
  go build -tags remove_all_sd,enable_kubernetes_sd -o "$build/prometheus/prometheus" github.com/prometheus/prometheus/cmd/prometheus )
for name in postgres nats influxdb prometheus; do "$@" "localhost/test-$name:1" "$build/$name"; done
