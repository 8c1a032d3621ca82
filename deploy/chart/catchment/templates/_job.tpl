{{/* Beginning of a job's pod: runs once, without a token. (dict "root" $ "name" "migrate" "backends" (list …)) */}}
{{- define "catchment.jobContainer" -}}
image: {{ include "catchment.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext: {{- include "catchment.containerSecurity" .root | nindent 2 }}
resources:
  requests: {cpu: 50m, memory: 128Mi}
  limits: {memory: 512Mi}
{{- end }}
