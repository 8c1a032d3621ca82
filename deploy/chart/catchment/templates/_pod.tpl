{{- define "catchment.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "catchment.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "catchment.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Volumes of a pod that uses these backends. (dict "root" $ "backends" (list …)) */}}
{{- define "catchment.volumes" -}}
- {name: tmp, emptyDir: {sizeLimit: {{ ternary "1Gi" "256Mi" (has "render" (.services | default list)) }}}}
{{- if and .backends .root.Values.backendCa.existingSecret }}
- {name: ca, secret: {secretName: {{ .root.Values.backendCa.existingSecret }}, defaultMode: 0440}}
{{- end }}
{{- $root := .root }}
{{- range $backend := .backends }}
{{- with get (index $root.Values $backend) "clientCertificateSecret" }}
- {name: {{ $backend }}-client, secret: {secretName: {{ . }}, defaultMode: 0440}}
{{- end }}
{{- end }}
{{- end }}

{{- define "catchment.volumeMounts" -}}
- {name: tmp, mountPath: /tmp}
{{- if and .backends .root.Values.backendCa.existingSecret }}
- {name: ca, mountPath: /etc/catchment/ca, readOnly: true}
{{- end }}
{{- $root := .root }}
{{- range $backend := .backends }}
{{- if get (index $root.Values $backend) "clientCertificateSecret" }}
- {name: {{ $backend }}-client, mountPath: /etc/catchment/{{ $backend }}-client, readOnly: true}
{{- end }}
{{- end }}
{{- end }}

{{/* What spreads pods over the cluster. (dict "root" $ "name" "nodes" "workload" …) */}}
{{- define "catchment.placement" -}}
{{- with .workload.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .workload.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .workload.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .workload.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- if .workload.topologySpread }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "catchment.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}
