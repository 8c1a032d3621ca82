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

{{/*
Requests and limits with room on the node's disk: what is written to /tmp, and log lines that wait to be collected. (dict "resources" … "disk" "512Mi")
*/}}
{{- define "catchment.resources" -}}
{{- $disk := dict "requests" (dict "ephemeral-storage" "64Mi") "limits" (dict "ephemeral-storage" .disk) -}}
{{- toYaml (mergeOverwrite $disk (deepCopy (.resources | default dict))) -}}
{{- end }}

{{/* Account of a part's pods. Jobs that ask the API have their own in any case. (dict "root" $ "name" "nodes") */}}
{{- define "catchment.accountName" -}}
{{- with .root.Values.serviceAccount -}}
{{- ternary (printf "%s-%s" (include "catchment.fullname" $.root) $.name) (.name | default "default") .create -}}
{{- end -}}
{{- end }}

{{/* Class of the backends' pods; empty: none. */}}
{{- define "catchment.priorityClass" -}}
{{- with .Values.priorityClass -}}
{{- if .name }}{{ .name }}{{ else if and .create (include "catchment.ownBackends" $ | fromYamlArray) }}{{ $.Release.Namespace }}-{{ include "catchment.fullname" $ }}-backends{{ end -}}
{{- end -}}
{{- end }}

{{/* Volumes of a pod that uses these backends. (dict "root" $ "backends" (list …)) */}}
{{- define "catchment.volumes" -}}
- {name: tmp, emptyDir: {sizeLimit: {{ ternary "1Gi" "256Mi" (has "render" (.services | default list)) }}}}
{{- with (.workload | default dict).extraVolumes }}
{{ toYaml . }}
{{- end }}
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
{{- with (.workload | default dict).extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
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
