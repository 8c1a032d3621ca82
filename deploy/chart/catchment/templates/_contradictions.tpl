{{/* Values that contradict each other or the smallest that works, beside those of _validate.tpl. */}}
{{- define "catchment.validateParts" -}}
{{- include "catchment.validateVolumes" . -}}
{{- include "catchment.validateNames" . -}}
{{- include "catchment.validateIngress" . -}}
{{- range $name := include "catchment.ownBackends" . | fromYamlArray -}}
{{- include "catchment.validateResources" (dict "where" (printf "%s.trial" $name) "resources" (index $.Values $name).trial.resources) -}}
{{- end -}}
{{- include "catchment.validateResources" (dict "where" "backup" "resources" .Values.backup.resources) -}}
{{- range $name, $_ := include "catchment.processes" . | fromYaml -}}
{{- $where := ternary (printf "processes.%s" $name) $name (hasKey ($.Values.processes | default dict) $name) -}}
{{- $workload := include "catchment.workload" (dict "root" $ "name" $name) | fromYaml -}}
{{- include "catchment.validateResources" (dict "where" $where "resources" $workload.resources) -}}
{{- with $workload.rollingUpdate -}}
{{- if and (eq (toString .maxSurge | trimSuffix "%") "0") (eq (toString .maxUnavailable | trimSuffix "%") "0") -}}
{{- fail (printf "%s.rollingUpdate: with maxSurge and maxUnavailable both 0 no pod could ever be replaced: let one of them be 1" $where) -}}
{{- end -}}
{{- end -}}
{{- include "catchment.validateMounts" (dict "where" $where "workload" $workload) -}}
{{- end -}}
{{- end }}

{{/* A volume holds what its server may fill, and what an empty server writes. */}}
{{- define "catchment.validateVolumes" -}}
{{- $smallest := include "catchment.bytes" "1Gi" | int64 -}}
{{- range $name := include "catchment.ownBackends" . | fromYamlArray -}}
{{- $trial := (index $.Values $name).trial -}}
{{- $storage := include "catchment.bytes" $trial.storage | int64 -}}
{{- if lt $storage $smallest -}}
{{- fail (printf "%s.trial.storage: %s is less than the server itself takes: give 1Gi at least" $name (toString $trial.storage)) -}}
{{- end -}}
{{- if and (eq $name "nats") (lt $storage (mulf (float64 $trial.fileStoreGiB) 1.1 1073741824.0 | int64)) -}}
{{- fail (printf "nats.trial.storage: %s is too small for nats.trial.fileStoreGiB (%d): messages may take all of that, and a volume that is full stops every write. Give %.0fGi or more, or lower fileStoreGiB" (toString $trial.storage) (int $trial.fileStoreGiB) (ceil (mulf (float64 $trial.fileStoreGiB) 1.1))) -}}
{{- end -}}
{{- end -}}
{{- with .Values.backup -}}
{{- if and .enabled (not .volume.existingClaim) (lt (include "catchment.bytes" .volume.storage | int64) $smallest) -}}
{{- fail (printf "backup.volume.storage: %s holds no backup: give 1Gi at least" (toString .volume.storage)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* (dict "where" "gateway" "resources" …) */}}
{{- define "catchment.validateResources" -}}
{{- range $resource, $limit := (.resources | default dict).limits -}}
{{- $request := dig "requests" $resource "" $.resources -}}
{{- $kind := ternary "catchment.millicores" "catchment.bytes" (eq $resource "cpu") -}}
{{- if and (toString $request) (gt (include $kind $request | int64) (include $kind $limit | int64)) -}}
{{- fail (printf "%s.resources: requests.%s (%s) is above limits.%s (%s): lower the request or raise the limit" $.where $resource (toString $request) $resource (toString $limit)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* (dict "where" "gateway" "workload" …) */}}
{{- define "catchment.validateMounts" -}}
{{- $known := list -}}
{{- range .workload.extraVolumes -}}
{{- if or (has .name (list "tmp" "ca")) (regexMatch "-(client|tls)$|^sftp-host-keys$" .name) -}}
{{- fail (printf "%s.extraVolumes: %s is the name of a volume of the chart: choose another" $.where .name) -}}
{{- end -}}
{{- $known = append $known .name -}}
{{- end -}}
{{- range .workload.extraVolumeMounts -}}
{{- if not (has .name $known) -}}
{{- fail (printf "%s.extraVolumeMounts: there is no volume %s in %s.extraVolumes" $.where .name $.where) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "catchment.validateNames" -}}
{{- range $label, $_ := .Values.commonLabels -}}
{{- if regexMatch "^(app\\.kubernetes\\.io|helm\\.sh|catchment\\.io)/" $label -}}
{{- fail (printf "commonLabels: %s is a label of the chart, by which pods are found: choose another" $label) -}}
{{- end -}}
{{- end -}}
{{- with .Values.image -}}
{{- if and .registry (regexMatch "^([^/]*[.:][^/]*|localhost)/" .repository) -}}
{{- fail (printf "image.registry: image.repository (%s) begins with a registry already: name it in one of the two" .repository) -}}
{{- end -}}
{{- end -}}
{{- with .Values.serviceAccount -}}
{{- if and .create .name -}}
{{- fail "serviceAccount.name: with serviceAccount.create each service has an account of its own: set create to false to let all run as this one" -}}
{{- end -}}
{{- if and (not .create) .annotations -}}
{{- fail "serviceAccount.annotations: accounts that exist are not changed: set serviceAccount.create to true, or annotate them yourself" -}}
{{- end -}}
{{- end -}}
{{- with .Values.monitoring -}}
{{- if and .podMonitor.enabled .serviceMonitor.enabled -}}
{{- fail "monitoring: podMonitor and serviceMonitor would scrape each pod twice: enable one of them" -}}
{{- end -}}
{{- if and .serviceMonitor.enabled $.Values.networkPolicy.enabled (not .scrapeFrom) -}}
{{- fail "monitoring.scrapeFrom: nobody would be let in to scrape: name the namespace or the pods of Prometheus, as `from` of a NetworkPolicy" -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "catchment.validateIngress" -}}
{{- $ingress := .Values.gateway.ingress -}}
{{- $taken := list $ingress.host -}}
{{- range $ingress.extraHosts -}}
{{- if not $ingress.enabled -}}
{{- fail (printf "gateway.ingress.extraHosts: %s is published by the Ingress only: set gateway.ingress.enabled to true" .host) -}}
{{- end -}}
{{- if has .host $taken -}}
{{- fail (printf "gateway.ingress.extraHosts: %s is there twice" .host) -}}
{{- end -}}
{{- $taken = append $taken .host -}}
{{- if and (not .tlsSecret) (not $ingress.allowPlain) -}}
{{- fail (printf "gateway.ingress.extraHosts: API keys for %s would travel unencrypted: name its certificate in tlsSecret, or set gateway.ingress.allowPlain=true where TLS ends before the Ingress" .host) -}}
{{- end -}}
{{- end -}}
{{- end }}
