{{/* Beginning of a job's pod: runs once, without a token. (dict "root" $ "name" "migrate" "backends" (list …)) */}}
{{- define "catchment.jobContainer" -}}
image: {{ include "catchment.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext: {{- include "catchment.containerSecurity" .root | nindent 2 }}
resources:
  requests: {cpu: 50m, memory: 128Mi, ephemeral-storage: 64Mi}
  limits: {memory: 512Mi, ephemeral-storage: 512Mi}
{{- end }}

{{/*
The pod that makes a backup, or restores one.
(dict "root" $ "args" (list …) "secret" (dict "name" … "key" …), mounted to /etc/catchment/backup)
*/}}
{{- define "catchment.backupPod" -}}
{{- $part := dict "root" .root "name" "backup" "backends" (list "postgresql" "nats" "influxdb") -}}
{{- $backup := .root.Values.backup -}}
metadata:
  labels: {{- include "catchment.podLabels" $part | nindent 4 }}
spec:
  restartPolicy: Never
  serviceAccountName: {{ include "catchment.accountName" $part }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- include "catchment.pullSecrets" .root | nindent 2 }}
  securityContext: {{- include "catchment.podSecurity" 1000 | nindent 4 }}
  containers:
    - name: backup
      image: {{ include "catchment.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{- toYaml (prepend .args "catchment") | nindent 8 }}
      securityContext: {{- include "catchment.containerSecurity" .root | nindent 8 }}
      resources: {{- include "catchment.resources" (dict "resources" $backup.resources "disk" "512Mi") | nindent 8 }}
      env: {{- include "catchment.backendEnvironment" $part | nindent 8 }}
      volumeMounts:
        {{- include "catchment.volumeMounts" $part | nindent 8 }}
        - {name: backups, mountPath: /backups}
        {{- if .secret }}
        - {name: key, mountPath: /etc/catchment/backup, readOnly: true}
        {{- end }}
  volumes:
    {{- include "catchment.volumes" $part | nindent 4 }}
    - {name: backups, persistentVolumeClaim: {claimName: {{ $backup.volume.existingClaim | default (printf "%s-backup" (include "catchment.fullname" .root)) }}}}
    {{- with .secret }}
    - {name: key, secret: {secretName: {{ .name }}, defaultMode: 0440, items: [{key: {{ .key }}, path: {{ .key }}}]}}
    {{- end }}
{{- end }}
