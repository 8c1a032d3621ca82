{{/* Values of one Deployment: those of its service or process over the defaults of `workload`. (dict "root" $ "name" "nodes") */}}
{{- define "catchment.workload" -}}
{{- $own := get (.root.Values.processes | default dict) .name | default (index .root.Values .name) -}}
{{- $workload := mergeOverwrite (deepCopy .root.Values.workload) (deepCopy $own) -}}
{{- if .root.Values.backup.restore.enabled -}}
{{- $workload = mergeOverwrite $workload (dict "replicas" 0 "autoscaling" (dict "enabled" false)) -}}
{{- end -}}
{{- toYaml $workload -}}
{{- end }}

{{/* What links in answers, pages and mails begin with; may be empty. */}}
{{- define "catchment.baseUrl" -}}
{{- $gateway := .Values.gateway -}}
{{- if $gateway.baseUrl -}}{{ $gateway.baseUrl }}
{{- else if $gateway.ingress.enabled -}}{{ ternary "https" "http" (not (empty $gateway.ingress.tlsSecret)) }}://{{ $gateway.ingress.host }}
{{- end -}}
{{- end }}

{{/* Log level, and where telemetry goes. */}}
{{- define "catchment.telemetrySettings" -}}
LOG_LEVEL: {{ .Values.logLevel }}
{{- with .Values.otlpEndpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . | quote }}
{{- if lt (float64 $.Values.otlpTraceShare) 1.0 }}
OTEL_TRACES_SAMPLER: parentbased_traceidratio
OTEL_TRACES_SAMPLER_ARG: {{ $.Values.otlpTraceShare | toString | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* Settings that are not secret, of one service: the content of its ConfigMap. */}}
{{- define "catchment.config" -}}
{{- $values := .root.Values -}}
{{- $part := get (include "catchment.architecture" .root | fromYaml) .name -}}
{{- $full := include "catchment.fullname" .root -}}
{{- $env := merge (dict "OTEL_SERVICE_NAME" .name) (include "catchment.telemetrySettings" .root | fromYaml) -}}
{{- range $part.calls }}{{ $_ := set $env (printf "%s_ADDRESS" (upper .)) (printf "%s-%s:50051" $full .) }}{{ end -}}
{{- range $part.backends }}{{ $_ := set $env (printf "%s_URL" (include "catchment.backendPrefix" .)) (include "catchment.backendUrl" (dict "root" $.root "backend" .)) }}{{ end -}}
{{- if $values.backendCa.existingSecret }}{{ if $part.backends }}{{ $_ := set $env "NODE_EXTRA_CA_CERTS" (printf "/etc/catchment/ca/%s" $values.backendCa.key) }}{{ end }}{{ end -}}
{{- if has "nats" $part.backends -}}
{{- $_ := set $env "INGEST_PARTITIONS" ($values.ingestPartitions | int | toString) -}}
{{- $_ := set $env "STREAM_REPLICAS" ($values.streamReplicas | int | toString) -}}
{{- end -}}
{{- if has .name (list "nodes" "devices" "events" "gateway") }}{{ $_ := set $env "CLASS_NAMESPACE" $values.classNamespace }}{{ end -}}
{{- if has .name (list "historic" "render") -}}
{{- $_ := set $env "RESPONSE_MAX_FIELDS" ($values.limits.responseMaxFields | int64 | toString) -}}
{{- $_ := set $env "RESPONSE_MAX_BYTES" ($values.limits.responseMaxBytes | int64 | toString) -}}
{{- end -}}
{{- if has .name (list "gateway" "historic" "nodes" "render") }}{{ $_ := set $env "REQUEST_MAX_SECONDS" ($values.limits.requestMaxSeconds | int | toString) }}{{ end -}}
{{- if has .name (list "gateway" "nodes") -}}
{{- with include "catchment.baseUrl" .root }}{{ $_ := set $env "BASE_URL" . }}{{ end -}}
{{- end -}}
{{- if eq .name "gateway" -}}
{{- $_ := set $env "HTTP_HOST" $values.listenAddress -}}
{{- $_ := set $env "HTTP_PORT" "8080" -}}
{{- $_ := set $env "REQUIRE_HTTPS" ($values.gateway.requireHttps | toString) -}}
{{- with $values.gateway.trustedProxies }}{{ $_ := set $env "TRUSTED_PROXIES" (join "," .) }}{{ end -}}
{{- with $values.gateway.corsOrigins }}{{ $_ := set $env "CORS_ORIGINS" (join "," .) }}{{ end -}}
{{- with $values.gateway.mapTiles }}{{ if .url }}{{ $_ := set $env "MAP_TILES_URL" .url }}{{ $_ := set $env "MAP_TILES_ATTRIBUTION" .attribution }}{{ end }}{{ end -}}
{{- $addresses := list -}}
{{- range $name, $address := $values.gateway.deviceAddresses }}{{ $addresses = append $addresses (printf "%s=%s" $name $address) }}{{ end -}}
{{- with $addresses }}{{ $_ := set $env "DEVICE_ADDRESSES" (join "," .) }}{{ end -}}
{{- $_ := set $env "RATE_LIMIT_REQUESTS" ($values.gateway.rateLimit.requests | int64 | toString) -}}
{{- $_ := set $env "RATE_LIMIT_WINDOW_SECONDS" ($values.gateway.rateLimit.windowSeconds | int | toString) -}}
{{- $workload := include "catchment.workload" (dict "root" .root "name" (include "catchment.processOf" .)) | fromYaml -}}
{{- $replicas := ternary $workload.autoscaling.minReplicas $workload.replicas $workload.autoscaling.enabled -}}
{{- $_ := set $env "GATEWAY_REPLICAS" (max 1 ($replicas | int) | toString) -}}
{{- else -}}
{{- $_ := set $env "GRPC_HOST" $values.listenAddress -}}
{{- $_ := set $env "GRPC_PORT" "50051" -}}
{{- end -}}
{{- $_ := set $env "HEALTH_HOST" $values.listenAddress -}}
{{- $_ := set $env "HEALTH_PORT" "8081" -}}
{{- if eq .name "nodes" -}}
{{- with include "catchment.natsMonitorUrl" .root }}{{ $_ := set $env "NATS_MONITOR_URL" . }}{{ end -}}
{{/* For `kubectl exec … catchment account create`. */}}
{{- $_ := set $env "NODES_ADDRESS" "localhost:50051" -}}
{{- $_ := set $env "ACQUISITION_EVENT_SECONDS" ($values.limits.acquisitionEventSeconds | int | toString) -}}
{{- end -}}
{{- if and $values.mail.url $part.mails -}}
{{- $_ := set $env "SMTP_URL" $values.mail.url -}}
{{- $_ := set $env "SMTP_FROM" $values.mail.from -}}
{{- $_ := set $env "SMTP_TLS" $values.mail.tls -}}
{{- end -}}
{{- if and (or $values.sms.preset $values.sms.url) $part.mails -}}
{{- $sms := dict "SMS_PRESET" "preset" "SMS_URL" "url" "SMS_FROM" "from" "SMS_METHOD" "method" "SMS_CONTENT_TYPE" "contentType" "SMS_BODY" "body" "SMS_HEADERS" "headers" -}}
{{- range $variable, $key := $sms -}}
{{- with index $values.sms $key }}{{ $_ := set $env $variable . }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if and $values.kafka.brokers $part.topics -}}
{{- $_ := set $env "KAFKA_BROKERS" $values.kafka.brokers -}}
{{- $_ := set $env "KAFKA_TOPICS" (join "," $values.kafka.topics) -}}
{{- $_ := set $env "KAFKA_TOPIC_PREFIX" $values.kafka.topicPrefix -}}
{{- $_ := set $env "KAFKA_TLS" ($values.kafka.tls | toString) -}}
{{- if and $values.kafka.tls $values.backendCa.existingSecret }}{{ $_ := set $env "KAFKA_TLS_CA" (printf "/etc/catchment/ca/%s" $values.backendCa.key) }}{{ end -}}
{{- $_ := set $env "KAFKA_SASL_MECHANISM" $values.kafka.saslMechanism -}}
{{- end -}}
{{- if eq .name "historic" -}}
{{- $_ := set $env "INFLUX_DATABASE" $values.influxdb.database -}}
{{/* A workspace that moves stays readable where it was for as long as a read may take: 600 s unless that is longer. */}}
{{- if gt (int $values.limits.requestMaxSeconds) 600 }}{{ $_ := set $env "SHARD_GRACE_SECONDS" ($values.limits.requestMaxSeconds | int | toString) }}{{ end -}}
{{- with include "catchment.influxShards" .root }}{{ $_ := set $env "INFLUX_SHARDS" . }}{{ $_ := set $env "INFLUX_NEW_SHARD" $values.influxdb.newShard }}{{ end -}}
{{- $_ := set $env "ROWS_PER_SOURCE_PER_DAY" ($values.limits.rowsPerSourcePerDay | int | toString) -}}
{{- with $values.limits.recordDays }}{{ $_ := set $env "RECORD_DAYS" (. | int | toString) }}{{ end -}}
{{- range $name, $mib := $values.streams }}{{ if $mib }}{{ $_ := set $env (printf "STREAM_%s_MIB" (upper $name | trimSuffix "MIB")) ($mib | int | toString) }}{{ end }}{{ end -}}
{{- end -}}
{{- if eq .name "events" -}}
{{- $_ := set $env "WEBHOOK_ALLOW_HTTP" ($values.events.webhooks.allowHttp | toString) -}}
{{- with $values.events.webhooks.allowedRanges }}{{ $_ := set $env "WEBHOOK_ALLOWED_RANGES" (join "," .) }}{{ end -}}
{{- end -}}
{{- if eq .name "render" -}}
{{- $_ := set $env "CHROMIUM_SANDBOX" (ternary "off" "on" (empty $values.render.reports.sandboxProfile)) -}}
{{- with $values.render.egress.allowedRanges }}{{ $_ := set $env "EGRESS_ALLOWED_RANGES" (join "," .) }}{{ end -}}
{{- end -}}
{{- if eq .name "processing" }}{{ $_ := set $env "RUNNERS" ($values.processing.runners | int | toString) }}{{ end -}}
{{- if eq .name "devices" -}}
{{- $_ := set $env "SCOUT_HOST" $values.listenAddress -}}
{{- $_ := set $env "SCOUT_PORT" "4331" -}}
{{- with $values.devices.modem.publicHost }}{{ $_ := set $env "SCOUT_PUBLIC_HOST" . }}{{ end -}}
{{- if $values.devices.modem.tlsSecret -}}
{{- $_ := set $env "SCOUT_TLS_PORT" "4334" -}}
{{- $_ := set $env "SCOUT_TLS_CERT_FILE" "/etc/catchment/modem-tls/tls.crt" -}}
{{- $_ := set $env "SCOUT_TLS_KEY_FILE" "/etc/catchment/modem-tls/tls.key" -}}
{{- end -}}
{{- range $name, $value := include "catchment.listenerSettings" .root | fromYaml }}{{ $_ := set $env $name $value }}{{ end -}}
{{- end -}}
{{- range $name, $value := (include "catchment.workload" . | fromYaml).env }}{{ $_ := set $env $name $value }}{{ end -}}
{{- toYaml $env -}}
{{- end }}

{{- define "catchment.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata: {{- include "catchment.metadata" . | nindent 2 }}
data: {{- include "catchment.config" . | nindent 2 }}
{{- end }}

{{/* Logins of what is outside: mails, SMS, topics. (dict "root" $ "part" (dict "mails" true)) */}}
{{- define "catchment.outsideLogins" -}}
{{- if and $.part.mails .root.Values.mail.existingSecret }}
- name: SMTP_USER
  valueFrom: {secretKeyRef: {name: {{ .root.Values.mail.existingSecret }}, key: username}}
- name: SMTP_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ .root.Values.mail.existingSecret }}, key: password}}
{{- end }}
{{- if and $.part.mails .root.Values.sms.existingSecret }}
- name: SMS_USER
  valueFrom: {secretKeyRef: {name: {{ .root.Values.sms.existingSecret }}, key: username, optional: true}}
- name: SMS_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ .root.Values.sms.existingSecret }}, key: password}}
{{- end }}
{{- if and $.part.topics .root.Values.kafka.existingSecret }}
- name: KAFKA_USERNAME
  valueFrom: {secretKeyRef: {name: {{ .root.Values.kafka.existingSecret }}, key: username}}
- name: KAFKA_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ .root.Values.kafka.existingSecret }}, key: password}}
{{- end }}
{{- end }}

{{- define "catchment.grpcService" -}}
apiVersion: v1
kind: Service
metadata: {{- include "catchment.metadata" . | nindent 2 }}
spec:
  selector: {{- include "catchment.podsOf" . | nindent 4 }}
  ports:
    - {name: grpc, port: 50051, targetPort: grpc-{{ .name }}, appProtocol: kubernetes.io/h2c}
{{- end }}

{{- define "catchment.scaling" -}}
{{- $workload := include "catchment.workload" . | fromYaml -}}
{{- if $workload.podDisruptionBudget.enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- include "catchment.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ $workload.podDisruptionBudget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "catchment.selector" . | nindent 6 }}
{{- end }}
{{- if and $workload.autoscaling.enabled $workload.autoscaling.lag.enabled (has "nats" (get (include "catchment.architecture" .root | fromYaml) .name).backends) }}
---
{{ include "catchment.scaledObject" (dict "root" .root "name" .name "autoscaling" $workload.autoscaling) }}
{{- else if $workload.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{- include "catchment.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ include "catchment.fullname" .root }}-{{ .name }}}
  minReplicas: {{ $workload.autoscaling.minReplicas }}
  maxReplicas: {{ $workload.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ $workload.autoscaling.targetCPUUtilizationPercentage }}}}
{{- end }}
{{- end }}

{{- define "catchment.serviceAccount" -}}
{{- if .root.Values.serviceAccount.create -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "catchment.metadata" . | nindent 2 }}
  {{- with .root.Values.serviceAccount.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}
{{- end }}
