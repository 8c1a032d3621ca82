{{/*
Who calls whom (gRPC), who uses which backend, who sends mails and SMS and who feeds topics: the one table from which environment and network policies are made.
*/}}
{{- define "catchment.architecture" -}}
gateway: {calls: [nodes, historic, alarms, devices, events, render, processing], backends: []}
nodes: {calls: [historic, render, devices, events], backends: [postgresql, nats], mails: true, watches: [nats]}
historic: {calls: [nodes], backends: [postgresql, nats, influxdb]}
alarms: {calls: [nodes, historic], backends: [postgresql, nats]}
events: {calls: [nodes], backends: [postgresql, nats], topics: true}
devices: {calls: [nodes, historic, processing, render], backends: [postgresql, nats]}
render: {calls: [nodes, historic, events], backends: []}
processing: {calls: [nodes, historic], backends: [postgresql, nats]}
{{- if and .Values.firstAccount.email (not .Values.backup.restore.enabled) }}
first-account: {calls: [nodes], backends: []}
{{- end }}
{{- if and .Values.migrations.hook (not .Values.backup.restore.enabled) }}
migrate: {calls: [], backends: [postgresql]}
{{- end }}
{{- if include "catchment.leaving" . | fromYamlArray }}
retire: {calls: [], backends: []}
{{- end }}
{{- if include "catchment.ownBackends" . | fromYamlArray }}
settle: {calls: [], backends: []}
{{- end }}
{{- if .Values.backup.enabled }}
backup: {calls: [], backends: [postgresql, nats, influxdb]}
{{- end }}
doctor: {calls: [nodes, historic, alarms, devices, events, render, processing], backends: [postgresql, nats, influxdb], visits: [gateway], watches: [nats]}
{{- end }}

{{/* Port of a backend that the chart starts. (dict "backend" "nats") */}}
{{- define "catchment.backendPort" -}}
{{- get (dict "postgresql" "5432" "nats" "4222" "influxdb" "8086") .backend -}}
{{- end }}

{{/* Ports of a backend, for a policy: of the one that the chart starts, or of each server of its URL. (dict "root" $ "backend" "nats") */}}
{{- define "catchment.backendPorts" -}}
{{- $own := include "catchment.backendPort" . -}}
{{- $ports := list -}}
{{- range splitList "," (index .root.Values .backend "url") -}}
{{- $url := trim . -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" (urlParse $url).host | trimPrefix ":" | default (ternary "443" $own (hasPrefix "https:" $url))) -}}
{{- end -}}
[{{ range $n, $port := uniq $ports }}{{ if $n }}, {{ end }}{port: {{ $port }}}{{ end }}]
{{- end }}

{{/* Environment for a backend: URL without login, login and files apart. (dict "root" $ "backend" "nats") */}}
{{- define "catchment.backendUrl" -}}
{{- $values := index .root.Values .backend -}}
{{- $full := include "catchment.fullname" .root -}}
{{- if not $values.url -}}
{{- if eq .backend "postgresql" }}postgres://{{ $full }}-postgresql:5432/catchment
{{- else if eq .backend "nats" }}nats://{{ $full }}-nats:4222
{{- else }}http://{{ $full }}-influxdb:8086{{ end -}}
{{- else -}}
{{- $parts := list -}}
{{- /* Clients take a file of authorities for the wish to have TLS: only where the URL has it, or a certificate of ours, which needs it. */ -}}
{{- $authorities := get (dict "postgresql" "sslrootcert" "nats" "tls_ca") .backend -}}
{{- $ofPostgresql := and (regexMatch "[?&]ssl(mode|negotiation)?=" $values.url) (not (regexMatch "[?&](sslmode=disable|ssl=false|ssl=0)(&|$)" $values.url)) -}}
{{- $isTls := ternary $ofPostgresql (contains "tls://" $values.url) (eq .backend "postgresql") -}}
{{- if and $authorities .root.Values.backendCa.existingSecret (or $isTls (get $values "clientCertificateSecret")) -}}
{{- $parts = append $parts (printf "%s=/etc/catchment/ca/%s" $authorities .root.Values.backendCa.key) -}}
{{- end -}}
{{- if get $values "clientCertificateSecret" -}}
{{- $keys := ternary (list "sslcert" "sslkey") (list "tls_cert" "tls_key") (eq .backend "postgresql") -}}
{{- $parts = concat $parts (list (printf "%s=/etc/catchment/%s-client/tls.crt" (first $keys) .backend) (printf "%s=/etc/catchment/%s-client/tls.key" (last $keys) .backend)) -}}
{{- end -}}
{{- $urls := list -}}
{{- range splitList "," $values.url -}}
{{- $url := trim . -}}
{{- $urls = append $urls (ternary $url (printf "%s%s%s" $url (ternary "&" "?" (contains "?" $url)) (join "&" $parts)) (empty $parts)) -}}
{{- end -}}
{{- join "," $urls -}}
{{- end -}}
{{- end }}

{{/* The chart's NATS reports here what clients do not learn. Whoever watches it is let in. */}}
{{- define "catchment.natsMonitorUrl" -}}
{{- if not .Values.nats.url }}http://{{ include "catchment.fullname" . }}-nats:8222{{ end -}}
{{- end }}

{{/* Sizes of the volumes that the chart makes: `postgresql=10Gi,…`, for the doctor. */}}
{{- define "catchment.backendVolumes" -}}
{{- $volumes := list -}}
{{- range list "postgresql" "nats" "influxdb" }}{{ $backend := index $.Values . }}{{ if not $backend.url }}{{ $volumes = append $volumes (printf "%s=%s" . $backend.trial.storage) }}{{ end }}{{ end -}}
{{- join "," $volumes -}}
{{- end }}

{{/* Further InfluxDBs, as the settings have them: `name=url,…`. */}}
{{- define "catchment.influxShards" -}}
{{- $shards := list -}}
{{- range .Values.influxdb.shards }}{{ $shards = append $shards (printf "%s=%s" .name .url) }}{{ end -}}
{{- join "," $shards -}}
{{- end }}

{{- define "catchment.backendPrefix" -}}
{{- get (dict "postgresql" "DATABASE" "nats" "NATS" "influxdb" "INFLUX") . -}}
{{- end }}

{{/* Login of a backend from its Secret, as container environment. (dict "root" $ "backend" "nats") */}}
{{- define "catchment.backendLogin" -}}
{{- $values := index .root.Values .backend -}}
{{- $prefix := include "catchment.backendPrefix" .backend -}}
{{- if not $values.url }}
- {name: {{ $prefix }}_USER, value: catchment}
- name: {{ $prefix }}_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ include "catchment.generatedSecret" .root }}, key: {{ .backend }}-password}}
{{- else if $values.existingSecret }}
- name: {{ $prefix }}_USER
  valueFrom: {secretKeyRef: {name: {{ $values.existingSecret }}, key: username}}
- name: {{ $prefix }}_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ $values.existingSecret }}, key: password}}
{{- end }}
{{- range $shard := get $values "shards" | default list }}
{{- if $shard.existingSecret }}
- name: INFLUX_{{ upper $shard.name }}_USER
  valueFrom: {secretKeyRef: {name: {{ $shard.existingSecret }}, key: username}}
- name: INFLUX_{{ upper $shard.name }}_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ $shard.existingSecret }}, key: password}}
{{- end }}
{{- end }}
{{- end }}

{{- define "catchment.tokenSecret" -}}
- name: SERVICE_TOKEN_SECRET
  valueFrom: {secretKeyRef: {name: {{ .Values.secrets.existingSecret | default (include "catchment.generatedSecret" .) }}, key: service-token-secret}}
{{- end }}

{{/* Settings and logins of a job that uses all backends, as historic has them. (dict "root" $ "name" "backup") */}}
{{- define "catchment.backendEnvironment" -}}
- {name: LOG_LEVEL, value: {{ .root.Values.logLevel }}}
- {name: INGEST_PARTITIONS, value: {{ .root.Values.ingestPartitions | int | quote }}}
- {name: STREAM_REPLICAS, value: {{ .root.Values.streamReplicas | int | quote }}}
- {name: INFLUX_DATABASE, value: {{ .root.Values.influxdb.database }}}
{{- with include "catchment.influxShards" .root }}
- {name: INFLUX_SHARDS, value: {{ . | quote }}}
{{- end }}
{{- $root := .root }}
{{- range $backend := list "postgresql" "nats" "influxdb" }}
- {name: {{ include "catchment.backendPrefix" $backend }}_URL, value: {{ include "catchment.backendUrl" (dict "root" $root "backend" $backend) | quote }}}
{{- include "catchment.backendLogin" (dict "root" $root "backend" $backend) }}
{{- end }}
{{- if .root.Values.backendCa.existingSecret }}
- {name: NODE_EXTRA_CA_CERTS, value: /etc/catchment/ca/{{ .root.Values.backendCa.key }}}
{{- end }}
{{- end }}
