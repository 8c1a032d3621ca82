{{/* A server of one pod on a volume. (dict "root" $ "name" "nats") */}}
{{- define "catchment.backendService" -}}
apiVersion: v1
kind: Service
metadata: {{- include "catchment.metadata" . | nindent 2 }}
spec:
  selector: {{- include "catchment.selector" . | nindent 4 }}
  ports:
    - {name: {{ .name }}, port: {{ include "catchment.backendPort" (dict "backend" .name) }}, targetPort: server}
    {{- if eq .name "nats" }}
    - {name: monitor, port: 8222, targetPort: monitor}
    {{- end }}
{{- end }}

{{/* Names of the backends that the chart starts. */}}
{{- define "catchment.ownBackends" -}}
{{- $own := list -}}
{{- range list "postgresql" "nats" "influxdb" }}{{ if not (index $.Values . "url") }}{{ $own = append $own . }}{{ end }}{{ end -}}
{{- toYaml $own -}}
{{- end }}

{{- define "catchment.natsConfig" -}}{{ tpl (.Files.Get "files/nats-server.conf") . }}{{- end }}

{{/* (dict "root" $ "name" "nats"); jobs/settle.yaml puts the same template in place before the services. */}}
{{- define "catchment.backend" -}}
{{- $trial := (index .root.Values .name).trial -}}
{{- $template := include "catchment.backendTemplate" . -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  {{- include "catchment.metadata" . | nindent 2 }}
  annotations: {catchment.io/template: {{ $template | fromYaml | toJson | sha256sum }}}
spec:
  serviceName: {{ include "catchment.fullname" .root }}-{{ .name }}
  replicas: 1
  selector:
    matchLabels: {{- include "catchment.selector" . | nindent 6 }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $trial.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources: {requests: {storage: {{ $trial.storage }}}}
  template: {{- $template | nindent 4 }}
---
{{ include "catchment.backendService" . }}
---
{{ include "catchment.serviceAccount" . }}
---
{{ include "catchment.backendPolicy" . }}
{{- end }}

{{/* The pod of a backend: what differs from that which runs restarts it, so nothing of the chart's version is in it. */}}
{{- define "catchment.backendTemplate" -}}
metadata:
  labels: {{- include "catchment.selector" . | nindent 4 }}
  {{- if eq .name "nats" }}
  annotations:
    checksum/config: {{ include "catchment.natsConfig" .root | sha256sum }}
  {{- end }}
spec:
  serviceAccountName: {{ include "catchment.accountName" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- include "catchment.pullSecrets" .root | nindent 2 }}
  securityContext: {{- include "catchment.podSecurity" (index .root.Values .name).trial.runAsUser | nindent 4 }}
  {{- with include "catchment.priorityClass" .root }}
  priorityClassName: {{ . }}
  {{- end }}
  terminationGracePeriodSeconds: 60
  {{- include (printf "catchment.%sContainers" .name) .root | nindent 2 }}
{{- end }}
