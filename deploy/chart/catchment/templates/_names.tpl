{{- define "catchment.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Short enough for the longest suffix within 63 characters. */}}
{{- define "catchment.fullname" -}}
{{- /* Here, since every template asks for it: the first that misses a value would only say where it is. */ -}}
{{- if not (and (hasKey .Values "upgrade") (hasKey .Values "serviceAccount") (hasKey .Values.workload "rollingUpdate")) -}}
{{- fail "values of this version of the chart are missing, as with --reuse-values, which takes all values of the release before: give your files of values again (-f), or say --reset-then-reuse-values" -}}
{{- end -}}
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

{{/* Labels of objects. Those of pods are fewer: a new chart alone makes no pod anew. */}}
{{- define "catchment.labels" -}}
{{ include "catchment.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: catchment
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels of pods of services and jobs. Backends have those of their selector alone: nothing but what they run on restarts them. */}}
{{- define "catchment.podLabels" -}}
{{ include "catchment.selector" . }}
app.kubernetes.io/part-of: catchment
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
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
{{- else if $reports.digest -}}{{ include "catchment.repository" . }}@{{ $reports.digest }}
{{- else -}}{{ include "catchment.repository" . }}:{{ .Values.image.tag | default .Chart.AppVersion }}-chromium{{- end -}}
{{- end -}}

{{- define "catchment.image" -}}
{{- with .Values.image -}}
{{ include "catchment.repository" $ }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "catchment.repository" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}{{ .Values.image.repository -}}
{{- end }}

{{- define "catchment.generatedSecret" -}}{{ include "catchment.fullname" . }}-generated{{- end }}
{{- define "catchment.firstAccountSecret" -}}{{ .Values.firstAccount.secretName | default (printf "%s-first-account" (include "catchment.fullname" .)) }}{{- end }}
