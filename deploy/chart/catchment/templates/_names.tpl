{{- define "catchment.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Short enough for the longest suffix within 63 characters. */}}
{{- define "catchment.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "catchment.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{/* (dict "root" $ "name" "nodes") */}}
{{- define "catchment.selector" -}}
app.kubernetes.io/name: {{ include "catchment.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "catchment.labels" -}}
{{ include "catchment.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: catchment
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "catchment.metadata" -}}
name: {{ include "catchment.fullname" .root }}-{{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "catchment.labels" . | nindent 2 }}
{{- end }}

{{/* Image of the pods of render: reports need Chromium. */}}
{{- define "catchment.renderImage" -}}
{{- $reports := .Values.render.reports -}}
{{- if not $reports.enabled -}}{{ include "catchment.image" . }}
{{- else if $reports.digest -}}{{ .Values.image.repository }}@{{ $reports.digest }}
{{- else -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}-chromium{{- end -}}
{{- end -}}

{{- define "catchment.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{- end -}}
{{- end -}}
{{- end }}

{{- define "catchment.generatedSecret" -}}{{ include "catchment.fullname" . }}-generated{{- end }}
{{- define "catchment.firstAccountSecret" -}}{{ .Values.firstAccount.secretName | default (printf "%s-first-account" (include "catchment.fullname" .)) }}{{- end }}
