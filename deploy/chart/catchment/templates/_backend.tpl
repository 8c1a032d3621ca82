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

{{/* Beginning of a backend's StatefulSet, up to its container's own part. */}}
{{- define "catchment.backendPod" -}}
{{- $trial := (index .root.Values .name).trial -}}
apiVersion: apps/v1
kind: StatefulSet
metadata: {{- include "catchment.metadata" . | nindent 2 }}
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
  template:
    metadata:
      labels: {{- include "catchment.labels" . | nindent 8 }}
      {{- with .checksum }}
      annotations:
        checksum/config: {{ . }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "catchment.fullname" .root }}-{{ .name }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- include "catchment.pullSecrets" .root | nindent 6 }}
      securityContext: {{- include "catchment.podSecurity" $trial.runAsUser | nindent 8 }}
      terminationGracePeriodSeconds: 60
{{- end }}
