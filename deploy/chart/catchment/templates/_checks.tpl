{{/*
What the cluster has against an installation or upgrade, before anything changes: helm prints it as its error. Tools that only render the chart see no cluster, and check nothing. A namespace that is yet to be made has
nothing to look at either.
*/}}
{{- define "catchment.checkCluster" -}}
{{- if (lookup "v1" "ServiceAccount" .Release.Namespace "default") -}}
{{- $problems := concat (include "catchment.secretProblems" . | fromYamlArray) (include "catchment.volumeProblems" . | fromYamlArray) -}}
{{- with include "catchment.roomProblem" . }}{{ $problems = append $problems . }}{{ end -}}
{{- if $problems -}}
{{- fail (printf "nothing has changed, since it would not work:\n\n- %s\n" (join "\n- " $problems)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Secrets that values name: each with its keys. Those that a ServiceAccount or an Ingress waits for, and those that `extraObjects` brings, may come later. */}}
{{- define "catchment.namedSecrets" -}}
{{- $login := list "username" "password" -}}
{{- $named := list -}}
{{- with .Values -}}
{{- $named = append $named (dict "value" "secrets.existingSecret" "name" .secrets.existingSecret "keys" (list "service-token-secret")) -}}
{{- range list "postgresql" "nats" "influxdb" -}}
{{- $named = append $named (dict "value" (printf "%s.existingSecret" .) "name" (index $.Values .).existingSecret "keys" $login) -}}
{{- end -}}
{{- range list "postgresql" "nats" -}}
{{- $named = append $named (dict "value" (printf "%s.clientCertificateSecret" .) "name" (index $.Values .).clientCertificateSecret "keys" (list "tls.crt" "tls.key")) -}}
{{- end -}}
{{- range .influxdb.shards }}{{ $named = append $named (dict "value" (printf "influxdb.shards (%s)" .name) "name" .existingSecret "keys" $login) }}{{ end -}}
{{- $named = append $named (dict "value" "backendCa.existingSecret" "name" .backendCa.existingSecret "keys" (list .backendCa.key)) -}}
{{- $named = append $named (dict "value" "mail.existingSecret" "name" .mail.existingSecret "keys" $login) -}}
{{- $named = append $named (dict "value" "sms.existingSecret" "name" .sms.existingSecret "keys" (list "password")) -}}
{{- $named = append $named (dict "value" "kafka.existingSecret" "name" .kafka.existingSecret "keys" $login) -}}
{{- if .backup.enabled }}{{ $named = append $named (dict "value" "backup.recipientSecret" "name" .backup.recipientSecret "keys" (list "recipient")) }}{{ end -}}
{{- if .backup.restore.enabled }}{{ $named = append $named (dict "value" "backup.restore.identitySecret" "name" .backup.restore.identitySecret "keys" (list "identity")) }}{{ end -}}
{{- $named = append $named (dict "value" "workload.envFromSecret" "name" .workload.envFromSecret "keys" list) -}}
{{- range include "catchment.services" . | fromYamlArray }}{{ $named = append $named (dict "value" (printf "%s.envFromSecret" .) "name" (index $.Values .).envFromSecret "keys" list) }}{{ end -}}
{{- range $name, $process := .processes }}{{ $named = append $named (dict "value" (printf "processes.%s.envFromSecret" $name) "name" $process.envFromSecret "keys" list) }}{{ end -}}
{{- end -}}
{{- toYaml $named -}}
{{- end }}

{{- define "catchment.secretProblems" -}}
{{- $problems := list -}}
{{- $brought := toYaml .Values.extraObjects -}}
{{- $namespace := .Release.Namespace -}}
{{- range include "catchment.namedSecrets" . | fromYamlArray -}}
{{- if and .name (not (contains .name $brought)) -}}
{{- $secret := lookup "v1" "Secret" $namespace .name -}}
{{- $data := $secret.data | default dict -}}
{{- $missing := list }}{{ range .keys }}{{ if not (get $data .) }}{{ $missing = append $missing . }}{{ end }}{{ end -}}
{{- if not $secret -}}
{{- $problems = append $problems (printf "%s: there is no Secret %s in the namespace %s: make it%s, or correct the name" .value .name $namespace (ternary (printf " with %s" (join " and " .keys)) "" (not (empty .keys)))) -}}
{{- else if $missing -}}
{{- $problems = append $problems (printf "%s: the Secret %s lacks %s" .value .name (join " and " $missing)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with include "catchment.tokenProblem" . }}{{ $problems = append $problems . }}{{ end -}}
{{- toYaml $problems -}}
{{- end }}

{{/* The secret that signs calls between services: long enough, and the one that running pods have. */}}
{{- define "catchment.tokenProblem" -}}
{{- $name := .Values.secrets.existingSecret | default (include "catchment.generatedSecret" .) -}}
{{- $key := "service-token-secret" -}}
{{- $wanted := get ((lookup "v1" "Secret" .Release.Namespace $name).data | default dict) $key | default "" | b64dec -}}
{{- if and $wanted (lt (len $wanted) 32) -}}
secrets: {{ $key }} of the Secret {{ $name }} has {{ len $wanted }} characters, and needs 32 or more
{{- else -}}
{{- include "catchment.running" . -}}
{{- $used := "" -}}
{{- range $_, $one := .Values.running -}}
{{- range (first $one.deployment.spec.template.spec.containers).env }}{{ if eq .name "SERVICE_TOKEN_SECRET" }}{{ $used = dig "valueFrom" "secretKeyRef" "name" "" . }}{{ end }}{{ end -}}
{{- end -}}
{{- if and $used (ne $used $name) -}}
{{- $before := get ((lookup "v1" "Secret" .Release.Namespace $used).data | default dict) $key | default "" | b64dec -}}
{{- if and $before $wanted (ne $before $wanted) -}}
secrets.existingSecret: running pods sign their calls with another secret ({{ $key }} of the Secret {{ $used }}), so they would refuse those of the new pods, and the new ones theirs. Copy it into {{ $name }}. To change it, first end the pods: kubectl scale deployment -l app.kubernetes.io/instance={{ .Release.Name }} --replicas=0
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Volumes of backends that the chart starts: they keep their size, and their password. */}}
{{- define "catchment.volumeProblems" -}}
{{- $problems := list -}}
{{- $full := include "catchment.fullname" . -}}
{{- $generated := include "catchment.generatedSecret" . -}}
{{- $passwords := (lookup "v1" "Secret" .Release.Namespace $generated).data | default dict -}}
{{- range $name := include "catchment.ownBackends" . | fromYamlArray -}}
{{- $set := lookup "apps/v1" "StatefulSet" $.Release.Namespace (printf "%s-%s" $full $name) -}}
{{- $storage := (index $.Values $name).trial.storage -}}
{{- if $set -}}
{{- $before := (first $set.spec.volumeClaimTemplates).spec.resources.requests.storage -}}
{{- if ne (include "catchment.bytes" $before) (include "catchment.bytes" $storage) -}}
{{- $problems = append $problems (printf "%s.trial.storage: the volume was made with %s, which Kubernetes does not let a StatefulSet change to %s: give %s. A larger volume: docs/operations/upgrade.md" $name $before (toString $storage) $before) -}}
{{- end -}}
{{- end -}}
{{- if and (lookup "v1" "PersistentVolumeClaim" $.Release.Namespace (printf "data-%s-%s-0" $full $name)) (not (hasKey $passwords (printf "%s-password" $name))) -}}
{{- $problems = append $problems (printf "%s: its volume data-%s-%s-0 is there, and the password of what lies on it is not (%s-password of the Secret %s). Restore that Secret; or delete the volume, with all its data" $name $full $name $name $generated) -}}
{{- end -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end }}
