{{/* Pods that serve /metrics: those of the services, without jobs and backends. */}}
{{- define "catchment.servicePods" -}}
matchLabels:
  app.kubernetes.io/name: {{ include "catchment.name" . }}
  app.kubernetes.io/instance: {{ .Release.Name }}
matchExpressions:
  - {key: app.kubernetes.io/component, operator: In, values: {{ include "catchment.processes" . | fromYaml | keys | concat (include "catchment.leaving" . | fromYamlArray) | sortAlpha | uniq | toJson }}}
{{- end }}

{{/* Each service for itself, also where several share a pod. The rules and dashboards know them by these labels. (dict "root" $ "monitor" …) */}}
{{- define "catchment.metricsEndpoints" -}}
{{- range include "catchment.services" .root | fromYamlArray }}
- port: ops-{{ . }}
  path: /metrics
  interval: {{ $.monitor.interval }}
  scrapeTimeout: {{ $.monitor.scrapeTimeout }}
  relabelings:
    - {targetLabel: job, replacement: catchment}
    - {targetLabel: service, replacement: {{ . }}}
{{- end }}
{{- end }}

{{/* Where the gateway serves the runbook; empty where `runbookBase` names another place, or no base is known. */}}
{{- define "catchment.runbookPages" -}}
{{- if not .Values.monitoring.rules.runbookBase }}{{ with include "catchment.baseUrl" . }}{{ trimSuffix "/" . }}/docs/runbook{{ end }}{{ end -}}
{{- end }}

{{/*
Groups of rules/*.yaml for this installation: its namespace only, without what is disabled, with what is overridden, and with whole
addresses of the runbook.
*/}}
{{- define "catchment.ruleGroups" -}}
{{- $rules := .Values.monitoring.rules -}}
{{- $pages := include "catchment.runbookPages" . -}}
{{- $here := printf "namespace=%q" .Release.Namespace -}}
{{- $known := list -}}
{{- $groups := list -}}
{{- range $path, $_ := .Files.Glob "rules/*.yaml" -}}
{{- range $group := ($.Files.Get $path | fromYaml).groups -}}
{{- $kept := list -}}
{{- range $rule := $group.rules -}}
{{- $name := $rule.alert | default "" -}}
{{- if $name }}{{ $known = append $known $name }}{{ end -}}
{{- if not (has $name $rules.disabled) -}}
{{- $expr := $rule.expr | replace "job=\"catchment\"" (printf "job=\"catchment\", %s" $here) -}}
{{- /* Kubernetes reports volumes, not a job of ours. */ -}}
{{- $expr = $expr | replace "namespace=~\".+\"" $here -}}
{{- $expr = regexReplaceAll "catchment:\\w+:ratio_rate\\w+" $expr (printf "${0}{%s}" $here) -}}
{{- $_ := set $rule "expr" $expr -}}
{{- if $name }}{{ $_ := set $rule.annotations "runbook_url" (ternary (printf "%s/%s" $pages $name) (printf "%s%s" $rules.runbookBase $rule.annotations.runbook_url) (not (empty $pages))) }}{{ end -}}
{{- $kept = append $kept (mergeOverwrite $rule (deepCopy (get $rules.overrides $name | default dict))) -}}
{{- end -}}
{{- end -}}
{{- if $kept }}{{ $groups = append $groups (dict "name" $group.name "rules" $kept) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- range concat $rules.disabled (keys $rules.overrides | sortAlpha) -}}
{{- if not (has . $known) }}{{ fail (printf "monitoring.rules: there is no alert %s: docs/operations/runbook has them all" .) }}{{ end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end }}
