{{/*
A job before an upgrade that runs `catchment migrate`. At the first installation the services do it themselves: the database may come with the chart.
(dict "root" $ "name" "preflight" "weight" "-4" "retries" 0 "seconds" 240 "arguments" (list …))
*/}}
{{- define "catchment.migrateJob" -}}
{{- $part := dict "root" .root "name" "migrate" "backends" (list "postgresql") -}}
{{- $values := .root.Values -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "catchment.fullname" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "catchment.labels" $part | nindent 4 }}
  annotations:
    helm.sh/hook: pre-upgrade
    helm.sh/hook-weight: {{ .weight | quote }}
    # Newer versions of helm print its log where it fails.
    helm.sh/hook-output-log-policy: hook-failed
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: {{ .retries }}
  activeDeadlineSeconds: {{ .seconds }}
  # A failed job stays for its log, and no longer: the upgrade has reported it.
  ttlSecondsAfterFinished: 600
  template:
    metadata:
      labels: {{- include "catchment.podLabels" $part | nindent 8 }}
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- include "catchment.pullSecrets" .root | nindent 6 }}
      securityContext: {{- include "catchment.podSecurity" 1000 | nindent 8 }}
      containers:
        - name: {{ .name }}
          {{- include "catchment.jobContainer" $part | nindent 10 }}
          args: {{- toYaml (concat (list "catchment" "migrate") .arguments) | nindent 12 }}
          env:
            - {name: LOG_LEVEL, value: {{ $values.logLevel }}}
            - {name: DATABASE_URL, value: {{ include "catchment.backendUrl" (dict "root" .root "backend" "postgresql") | quote }}}
            {{- if $values.backendCa.existingSecret }}
            - {name: NODE_EXTRA_CA_CERTS, value: /etc/catchment/ca/{{ $values.backendCa.key }}}
            {{- end }}
            {{- include "catchment.backendLogin" (dict "root" .root "backend" "postgresql") | nindent 12 }}
          volumeMounts: {{- include "catchment.volumeMounts" $part | nindent 12 }}
      volumes: {{- include "catchment.volumes" $part | nindent 8 }}
{{- end }}
