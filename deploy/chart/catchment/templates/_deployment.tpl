{{/*
The Deployment of a process: of one service, or of those that share pods. (dict "root" $ "name" "nodes" "services" (list "nodes"))
In a shared pod each service has its settings with its name before them (NODES__GRPC_PORT), as `catchment-service` takes them.
*/}}
{{- define "catchment.deployment" -}}
{{- $root := .root -}}
{{- $services := .services -}}
{{- $isShared := hasKey ($root.Values.processes | default dict) .name -}}
{{- $workload := include "catchment.workload" . | fromYaml -}}
{{- $uses := include "catchment.usesOf" . | fromYaml -}}
{{- $reports := and (has "render" $services) $root.Values.render.reports.enabled -}}
{{- $context := dict "root" $root "name" .name "services" $services "workload" $workload "backends" $uses.backends -}}
{{- /* Of a shared pod: ready when all of its services are. */ -}}
{{- $probed := ternary 8080 8081 (eq .name "gateway") -}}
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "catchment.metadata" . | nindent 2 }}
spec:
  {{- if $workload.autoscaling.enabled }}
  {{- /* The scaler's to say. Where pods run already, as many as these: helm makes one of a number that the manifest no longer names. */}}
  {{- $running := lookup "apps/v1" "Deployment" $root.Release.Namespace (printf "%s-%s" (include "catchment.fullname" $root) .name) }}
  {{- with dig "spec" "replicas" 0 $running }}
  replicas: {{ max $workload.autoscaling.minReplicas . }}
  {{- end }}
  {{- else }}
  replicas: {{ $workload.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  # A new pod is ready before an old one goes, unless the values say otherwise.
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: {{ $workload.rollingUpdate.maxSurge }}, maxUnavailable: {{ $workload.rollingUpdate.maxUnavailable }}}}
  selector:
    matchLabels: {{- include "catchment.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "catchment.podLabels" . | nindent 8 }}
        {{- include "catchment.serviceLabels" $services | trim | nindent 8 }}
        {{- with $workload.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
      annotations:
        checksum/config: {{ include "catchment.configs" . | sha256sum }}
        {{- with $workload.podAnnotations }}{{ toYaml . | nindent 8 }}{{ end }}
    spec:
      serviceAccountName: {{ include "catchment.accountName" . }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- include "catchment.pullSecrets" $root | nindent 6 }}
      securityContext: {{- include "catchment.podSecurity" 1000 | nindent 8 }}
      {{- if $isShared }}
      # The delay before SIGTERM, 25 s for each of the three groups that its services stop in, and some room.
      terminationGracePeriodSeconds: {{ add 85 $workload.drainDelaySeconds }}
      {{- else }}
      # The delay before SIGTERM, the service's own limit of 25 s, and some room.
      terminationGracePeriodSeconds: {{ add 35 $workload.drainDelaySeconds }}
      {{- end }}
      {{- include "catchment.placement" $context | nindent 6 }}
      containers:
        - name: {{ .name }}
          image: {{ include (ternary "catchment.renderImage" "catchment.image" (has "render" $services)) $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: {{ printf "[catchment-service, %s]" (join ", " $services) }}
          securityContext:
            {{- include "catchment.containerSecurity" $root | nindent 12 }}
            {{- if and $reports $root.Values.render.reports.sandboxProfile }}
            seccompProfile: {type: Localhost, localhostProfile: {{ $root.Values.render.reports.sandboxProfile }}}
            {{- end }}
          envFrom: {{- include "catchment.environmentSources" $context | trim | nindent 12 }}
          env:
            - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
            - {name: POD_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
            {{- include "catchment.tokenSecret" $root | nindent 12 }}
            {{- range $uses.backends }}
            {{- include "catchment.backendLogin" (dict "root" $root "backend" .) | nindent 12 }}
            {{- end }}
            {{- include "catchment.outsideLogins" (dict "root" $root "part" $uses) | nindent 12 }}
            {{- if $isShared }}
            {{- include "catchment.sharedSettings" . | trim | nindent 12 }}
            {{- end }}
          ports:
            {{- if $isShared }}
            - {name: health, containerPort: 8081}
            {{- end }}
            {{- range $services }}
            {{- $ports := include "catchment.servicePorts" (dict "name" . "isShared" $isShared) | fromYaml }}
            {{- if eq . "gateway" }}
            - {name: http, containerPort: 8080}
            {{- else }}
            - {name: grpc-{{ . }}, containerPort: {{ $ports.grpc }}}
            {{- end }}
            - {name: ops-{{ . }}, containerPort: {{ $ports.health }}}
            {{- if eq . "devices" }}
            - {name: modem, containerPort: 4331}
            {{- if $root.Values.devices.modem.tlsSecret }}
            - {name: modem-tls, containerPort: 4334}
            {{- end }}
            {{- range (include "catchment.listeners" $root | fromYaml).listeners }}
            - {name: {{ .name }}, containerPort: {{ .container }}}
            {{- end }}
            {{- end }}
            {{- end }}
          # The process runs and listens; it may still wait for its backends, which a restart would not help.
          startupProbe: {httpGet: {path: /healthz, port: {{ $probed }}}, periodSeconds: 1, timeoutSeconds: 3, failureThreshold: 120}
          livenessProbe: {httpGet: {path: /healthz, port: {{ $probed }}}, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6}
          # With its dependencies.
          readinessProbe: {httpGet: {path: /readyz, port: {{ $probed }}}, periodSeconds: 3, timeoutSeconds: 3, failureThreshold: 3}
          lifecycle: {preStop: {exec: {command: [sleep, {{ $workload.drainDelaySeconds | quote }}]}}}
          resources: {{- include "catchment.resources" (dict "resources" $workload.resources "disk" (ternary "1536Mi" "512Mi" (has "render" $services))) | nindent 12 }}
          volumeMounts:
            {{- include "catchment.volumeMounts" $context | nindent 12 }}
            {{- range $name, $_ := include "catchment.deviceSecrets" $context | fromYaml }}
            - {name: {{ $name }}, mountPath: /etc/catchment/{{ $name }}, readOnly: true}
            {{- end }}
      volumes:
        {{- include "catchment.volumes" $context | nindent 8 }}
        {{- range $name, $secret := include "catchment.deviceSecrets" $context | fromYaml }}
        - {name: {{ $name }}, secret: {secretName: {{ $secret }}, defaultMode: 0440}}
        {{- end }}
{{- end }}

{{/* What the services of a process use together. (dict "root" $ "services" (list …)) */}}
{{- define "catchment.usesOf" -}}
{{- $table := include "catchment.architecture" .root | fromYaml -}}
{{- $backends := list -}}
{{- $mails := false -}}
{{- $topics := false -}}
{{- range .services -}}
{{- $part := get $table . -}}
{{- $backends = concat $backends $part.backends -}}
{{- if $part.mails }}{{ $mails = true }}{{ end -}}
{{- if $part.topics }}{{ $topics = true }}{{ end -}}
{{- end -}}
{{- $used := list -}}
{{- range list "postgresql" "nats" "influxdb" }}{{ if has . $backends }}{{ $used = append $used . }}{{ end }}{{ end -}}
{{- toYaml (dict "backends" $used "mails" $mails "topics" $topics) -}}
{{- end }}

{{/* Certificates and keys of devices, by the name of their volume. */}}
{{- define "catchment.deviceSecrets" -}}
{{- $secrets := dict -}}
{{- if has "devices" .services -}}
{{- with .root.Values.devices -}}
{{- with .modem.tlsSecret }}{{ $_ := set $secrets "modem-tls" . }}{{ end -}}
{{- with .listeners.tlsSecret }}{{ $_ := set $secrets "listener-tls" . }}{{ end -}}
{{- if .listeners.sftp.enabled }}{{ $_ := set $secrets "sftp-host-keys" .listeners.sftp.hostKeySecret }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toYaml $secrets -}}
{{- end }}

{{/* Where a process gets its settings from. Of the same name in several, the last one holds. */}}
{{- define "catchment.environmentSources" -}}
{{- $full := include "catchment.fullname" .root -}}
{{- with .workload.envFromSecret }}
# A setting of the chart wins over one of the same name.
- secretRef: {name: {{ . }}}
{{- end }}
- configMapRef: {name: {{ $full }}-{{ .name }}}
{{- if hasKey (.root.Values.processes | default dict) .name }}
{{- range $service := .services }}
{{- with (index $.root.Values $service).envFromSecret }}
- {prefix: {{ upper $service }}__, secretRef: {name: {{ . }}}}
{{- end }}
- {prefix: {{ upper $service }}__, configMapRef: {name: {{ $full }}-{{ $service }}}}
{{- end }}
{{- end }}
{{- end }}

{{/* What is another in a shared pod than in one of a service alone: its ports, and peers that are called within the process. */}}
{{- define "catchment.sharedSettings" -}}
{{- $table := include "catchment.architecture" .root | fromYaml -}}
{{- range $service := .services }}
{{- $ports := include "catchment.servicePorts" (dict "name" $service "isShared" true) | fromYaml }}
{{- if ne $service "gateway" }}
- {name: {{ upper $service }}__GRPC_PORT, value: "{{ $ports.grpc }}"}
{{- end }}
- {name: {{ upper $service }}__HEALTH_PORT, value: "{{ $ports.health }}"}
{{- range (get $table $service).calls }}
{{- if has . $.services }}
- {name: {{ upper $service }}__{{ upper . }}_ADDRESS, value: ""}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Settings of a shared pod that are not of one service: those of its process, and what `catchment …` in it needs (`kubectl exec`). (dict "root" $ "name" "core" "services" (list …))
*/}}
{{- define "catchment.processConfig" -}}
{{- $values := .root.Values -}}
{{- $uses := include "catchment.usesOf" . | fromYaml -}}
{{- $env := merge (dict "HEALTH_HOST" $values.listenAddress "PROCESS_HEALTH_PORT" "8081") (include "catchment.telemetrySettings" .root | fromYaml) -}}
{{- range without (include "catchment.services" . | fromYamlArray) "gateway" -}}
{{- $address := printf "%s-%s:50051" (include "catchment.fullname" $.root) . -}}
{{- if has . $.services }}{{ $address = printf "localhost:%d" (get (include "catchment.servicePorts" (dict "name" . "isShared" true) | fromYaml) "grpc" | int) }}{{ end -}}
{{- $_ := set $env (printf "%s_ADDRESS" (upper .)) $address -}}
{{- end -}}
{{- range $uses.backends }}{{ $_ := set $env (printf "%s_URL" (include "catchment.backendPrefix" .)) (include "catchment.backendUrl" (dict "root" $.root "backend" .)) }}{{ end -}}
{{- if and $values.backendCa.existingSecret $uses.backends }}{{ $_ := set $env "NODE_EXTRA_CA_CERTS" (printf "/etc/catchment/ca/%s" $values.backendCa.key) }}{{ end -}}
{{- range $name, $value := (include "catchment.workload" . | fromYaml).env }}{{ $_ := set $env $name $value }}{{ end -}}
{{- toYaml $env -}}
{{- end }}

{{/* All settings of a process that are not secret: when they change, its pods are made anew. */}}
{{- define "catchment.configs" -}}
{{- if hasKey (.root.Values.processes | default dict) .name -}}
{{ include "catchment.processConfig" . }}
{{- range .services }}
{{ include "catchment.config" (dict "root" $.root "name" .) }}
{{- end }}
{{- else -}}
{{ include "catchment.config" . }}
{{- end -}}
{{- end }}
