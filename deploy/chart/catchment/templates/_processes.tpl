{{/*
Which services share pods. Every Deployment of services is a «process»: it has the name of its only service, or one of `processes`. A service is
known by a label of its own on the pods that run it (catchment.io/service-<name>), so that Services, network policies and people find it in
either kind of pod, and in both while an upgrade leads from one to the other.
*/}}

{{- define "catchment.services" -}}
[gateway, nodes, historic, alarms, events, devices, render, processing]
{{- end }}

{{/* Services of each Deployment, by its name. */}}
{{- define "catchment.processes" -}}
{{- $shared := list -}}
{{- $processes := dict -}}
{{- range $name, $process := .Values.processes }}{{ $_ := set $processes $name $process.services }}{{ $shared = concat $shared $process.services }}{{ end -}}
{{- range include "catchment.services" . | fromYamlArray }}{{ if not (has . $shared) }}{{ $_ := set $processes . (list .) }}{{ end }}{{ end -}}
{{- toYaml $processes -}}
{{- end }}

{{/* Name of the Deployment that runs a service. (dict "root" $ "name" "nodes") */}}
{{- define "catchment.processOf" -}}
{{- $found := .name -}}
{{- range $name, $process := .root.Values.processes }}{{ if has $.name $process.services }}{{ $found = $name }}{{ end }}{{ end -}}
{{- $found -}}
{{- end }}

{{/*
Ports of a service: everybody's own in its own pods, and one for each service in shared ones, where they are side by side.
(dict "name" "nodes" "isShared" true)
*/}}
{{- define "catchment.servicePorts" -}}
{{- $number := 0 -}}
{{- range $n, $name := include "catchment.services" . | fromYamlArray }}{{ if eq $name $.name }}{{ $number = $n }}{{ end }}{{ end -}}
grpc: {{ ternary (add 50061 $number) 50051 .isShared }}
health: {{ ternary (add 8091 $number) 8081 .isShared }}
{{- end }}

{{/* Labels of the pods of a process, by which its services are found. (list "nodes" "historic") */}}
{{- define "catchment.serviceLabels" -}}
{{- range . }}
catchment.io/service-{{ . }}: "true"
{{- end }}
{{- end }}

{{/*
What runs in the namespace before an upgrade, looked up once: Deployments of this release's services with pods, by name. Tools that only render find none.
*/}}
{{- define "catchment.running" -}}
{{- if not (hasKey .Values "running") -}}
{{- $running := dict -}}
{{- range (lookup "apps/v1" "Deployment" .Release.Namespace "").items -}}
{{- $labels := .metadata.labels | default dict -}}
{{- if and (eq (get $labels "app.kubernetes.io/instance") $.Release.Name) (eq (get $labels "app.kubernetes.io/name") (include "catchment.name" $)) (gt (int .spec.replicas) 0) -}}
{{- $services := list -}}
{{- range $label, $_ := .spec.template.metadata.labels }}{{ if hasPrefix "catchment.io/service-" $label }}{{ $services = append $services (trimPrefix "catchment.io/service-" $label) }}{{ end }}{{ end -}}
{{- $_ := set $running (get $labels "app.kubernetes.io/component") (dict "services" (sortAlpha $services) "deployment" .) -}}
{{- end -}}
{{- end -}}
{{- $_ := set .Values "running" $running -}}
{{- end -}}
{{- end }}

{{/*
Names of the Deployments that this upgrade puts others in the place of. They stay as they are until the new pods are ready, and are taken away by a hook
(templates/jobs/retire.yaml): helm would end their pods at once.
*/}}
{{- define "catchment.leaving" -}}
{{- include "catchment.running" . -}}
{{- $leaving := list -}}
{{- if not .Values.backup.restore.enabled -}}
{{- $processes := include "catchment.processes" . | fromYaml -}}
{{- range $name, $one := .Values.running }}{{ if and $one.services (not (hasKey $processes $name)) }}{{ $leaving = append $leaving $name }}{{ end }}{{ end -}}
{{- end -}}
{{- toYaml (sortAlpha $leaving) -}}
{{- end }}

{{/* Ports of a service in all pods that run it or will: (dict "root" $ "name" "nodes" "kind" "grpc"). */}}
{{- define "catchment.portsOf" -}}
{{- $name := .name -}}
{{- $kind := .kind -}}
{{- $isShared := hasKey (.root.Values.processes | default dict) (include "catchment.processOf" .) -}}
{{- $ports := list (get (include "catchment.servicePorts" (dict "name" $name "isShared" $isShared) | fromYaml) $kind | int) -}}
{{- range $one := include "catchment.leaving" .root | fromYamlArray -}}
{{- $running := get $.root.Values.running $one -}}
{{- if has $name $running.services -}}
{{- $ports = append $ports (get (include "catchment.servicePorts" (dict "name" $name "isShared" (ne $one $name)) | fromYaml) $kind | int) -}}
{{- end -}}
{{- end -}}
{{- toYaml (uniq $ports) -}}
{{- end }}

{{/* The same, as ports of a rule of a NetworkPolicy. */}}
{{- define "catchment.policyPorts" -}}
[{{ range $n, $port := include "catchment.portsOf" . | fromYamlArray }}{{ if $n }}, {{ end }}{port: {{ $port | int }}}{{ end }}]
{{- end }}

{{/*
Labels that select the pods of a part: of a service whatever else they run, of anything else by its component. (dict "root" $ "name" "nodes")
*/}}
{{- define "catchment.podsOf" -}}
{{- if not (has .name (include "catchment.services" .root | fromYamlArray)) -}}
{{ include "catchment.selector" . }}
{{- else -}}
app.kubernetes.io/name: {{ include "catchment.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- include "catchment.serviceLabels" (list .name) }}
{{- end -}}
{{- end }}
