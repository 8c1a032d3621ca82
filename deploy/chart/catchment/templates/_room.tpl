{{/*
What pods of this release need beside those that run, and what the nodes have free, by the requests of pods: the scheduler judges by nothing else. A pod of a backend goes before its new one comes, so what it requests
more has to be free. A pod of a service comes before its old one goes, so the largest has to be free; the others wait for their turn. Jobs of hooks are smaller than any of these or run before.
*/}}
{{- define "catchment.roomProblem" -}}
{{- $values := .Values -}}
{{- $own := include "catchment.ownBackends" . | fromYamlArray -}}
{{- $isWanted := or (eq $values.upgrade.room "always") (and (eq $values.upgrade.room "auto") (not (empty $own))) -}}
{{- if and $isWanted (not $values.backup.restore.enabled) (not (include "catchment.isPlaced" .)) -}}
{{- $nodes := (lookup "v1" "Node" "" "").items | default list -}}
{{- if and $nodes (le (len $nodes) 8) -}}
{{- $free := include "catchment.freeOnNodes" (dict "root" $ "nodes" $nodes) | fromYaml -}}
{{- if $free -}}
{{- $needed := include "catchment.neededRoom" . | fromYaml -}}
{{- $cpu := 0 }}{{ $memory := 0 }}{{ $fits := false -}}
{{- range $node, $room := $free -}}
{{- $cpu = add $cpu (max 0 (int64 $room.cpu)) }}{{ $memory = add $memory (max 0 (int64 $room.memory)) -}}
{{- if and (ge (int64 $room.cpu) (int64 $needed.largest.cpu)) (ge (int64 $room.memory) (int64 $needed.largest.memory)) }}{{ $fits = true }}{{ end -}}
{{- end -}}
{{- if or (lt $cpu (int64 $needed.cpu)) (lt $memory (int64 $needed.memory)) (not $fits) -}}
upgrade.room: pods of this release find no room. Beside what runs they request {{ include "catchment.coresText" $needed.cpu }} cores and {{ include "catchment.mebibytesText" $needed.memory }}{{ with $needed.parts }} ({{ join "; " . }}){{ end }}; free are {{ include "catchment.coresText" $cpu }} cores and {{ include "catchment.mebibytesText" $memory }} on {{ keys $free | sortAlpha | join ", " }}
{{- if not $fits }}, and no node has enough for the largest pod alone ({{ include "catchment.coresText" $needed.largest.cpu }} cores, {{ include "catchment.mebibytesText" $needed.largest.memory }}){{ end -}}
. Make room on a node, or lower the requests (resources.requests); where there are two replicas or more, rollingUpdate {maxSurge: 0, maxUnavailable: 1} of workload needs none for new pods. Where the cluster adds nodes by itself set upgrade.room=never
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Whether values say on which nodes pods may run: then this chart does not judge what is free there. */}}
{{- define "catchment.isPlaced" -}}
{{- $all := append (values (.Values.processes | default dict)) .Values.workload -}}
{{- range include "catchment.services" . | fromYamlArray }}{{ $all = append $all (index $.Values .) }}{{ end -}}
{{- range $all }}{{ if or .nodeSelector .tolerations .affinity }}true{{ end }}{{ end -}}
{{- end }}

{{/*
What pods may still request on each node that takes new pods, by its name. Of a Deployment of this release as many pods count as it shall have: those that a roll-out which has not ended started beside them go with the
next one, which has to be possible. (dict "root" $ "nodes" (list …))
*/}}
{{- define "catchment.freeOnNodes" -}}
{{- $free := dict -}}
{{- $counted := dict -}}
{{- include "catchment.running" .root -}}
{{- range .nodes -}}
{{- $isClosed := dig "spec" "unschedulable" false . -}}
{{- range dig "spec" "taints" list . }}{{ if ne .effect "PreferNoSchedule" }}{{ $isClosed = true }}{{ end }}{{ end -}}
{{- if not $isClosed -}}
{{- $_ := set $free .metadata.name (dict "cpu" (include "catchment.millicores" .status.allocatable.cpu | int64) "memory" (include "catchment.bytes" .status.allocatable.memory | int64)) -}}
{{- end -}}
{{- end -}}
{{- range (lookup "v1" "Pod" "" "").items -}}
{{- $room := get $free (dig "spec" "nodeName" "" .) -}}
{{- $labels := .metadata.labels | default dict -}}
{{- $isBeyond := false -}}
{{- if and (eq .metadata.namespace $.root.Release.Namespace) (eq (get $labels "app.kubernetes.io/instance") $.root.Release.Name) (eq (get $labels "app.kubernetes.io/name") (include "catchment.name" $.root)) -}}
{{- $part := get $labels "app.kubernetes.io/component" -}}
{{- with get $.root.Values.running $part -}}
{{- $_ := set $counted $part (add1 (get $counted $part | default 0)) -}}
{{- $isBeyond = gt (int (get $counted $part)) (int .deployment.spec.replicas) -}}
{{- end -}}
{{- end -}}
{{- if and $room (not $isBeyond) (not (has (dig "status" "phase" "" .) (list "Succeeded" "Failed"))) -}}
{{- $requests := include "catchment.podRequests" .spec | fromYaml -}}
{{- $_ := set $room "cpu" (sub $room.cpu (int64 $requests.cpu)) -}}
{{- $_ := set $room "memory" (sub $room.memory (int64 $requests.memory)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $free -}}
{{- end }}

{{/* What is requested more than by what runs: cpu, memory, the largest single pod, and of what it consists. */}}
{{- define "catchment.neededRoom" -}}
{{- $full := include "catchment.fullname" . -}}
{{- $sum := dict "cpu" 0 "memory" 0 -}}
{{- $largest := dict "cpu" 0 "memory" 0 -}}
{{- $surge := dict "cpu" 0 "memory" 0 "name" "" -}}
{{- $parts := list -}}
{{- range $name := include "catchment.ownBackends" . | fromYamlArray -}}
{{- $one := dict "name" $name "replicas" 1 "new" (include "catchment.requestsOf" (index $.Values $name).trial.resources | fromYaml) -}}
{{- $running := lookup "apps/v1" "StatefulSet" $.Release.Namespace (printf "%s-%s" $full $name) -}}
{{- $parts = concat $parts (include "catchment.growth" (dict "sum" $sum "largest" $largest "one" $one "running" $running) | fromYamlArray) -}}
{{- end -}}
{{- range $name, $_ := include "catchment.processes" . | fromYaml -}}
{{- $workload := include "catchment.workload" (dict "root" $ "name" $name) | fromYaml -}}
{{- $running := lookup "apps/v1" "Deployment" $.Release.Namespace (printf "%s-%s" $full $name) -}}
{{- $replicas := $workload.replicas | int -}}
{{- if $workload.autoscaling.enabled }}{{ $replicas = max (int $workload.autoscaling.minReplicas) (dig "spec" "replicas" 0 $running | int) }}{{ end -}}
{{- $new := include "catchment.requestsOf" $workload.resources | fromYaml -}}
{{- $parts = concat $parts (include "catchment.growth" (dict "sum" $sum "largest" $largest "one" (dict "name" $name "replicas" $replicas "new" $new) "running" $running) | fromYamlArray) -}}
{{- if and $running $replicas (ne (toString $workload.rollingUpdate.maxSurge | trimSuffix "%") "0") -}}
{{- $largestName := ternary $name $surge.name (gt (int64 $new.cpu) (int64 $surge.cpu)) -}}
{{- $_ := set $surge "name" $largestName }}{{ $_ := set $surge "cpu" (max (int64 $surge.cpu) (int64 $new.cpu)) }}{{ $_ := set $surge "memory" (max (int64 $surge.memory) (int64 $new.memory)) -}}
{{- end -}}
{{- end -}}
{{- if or $surge.cpu $surge.memory -}}
{{- $parts = append $parts (printf "%s cores and %s for the largest new pod of a service, which starts before an old one goes" (include "catchment.coresText" $surge.cpu) (include "catchment.mebibytesText" $surge.memory)) -}}
{{- end -}}
{{- $all := dict "cpu" (add $sum.cpu $surge.cpu) "memory" (add $sum.memory $surge.memory) "parts" $parts -}}
{{- $_ := set $all "largest" (dict "cpu" (max (int64 $largest.cpu) (int64 $surge.cpu)) "memory" (max (int64 $largest.memory) (int64 $surge.memory))) -}}
{{- toYaml $all -}}
{{- end }}

{{- define "catchment.requestsOf" -}}
cpu: {{ include "catchment.millicores" (dig "requests" "cpu" 0 (. | default dict)) }}
memory: {{ include "catchment.bytes" (dig "requests" "memory" 0 (. | default dict)) }}
{{- end }}

{{/* Adds to `sum` what one part requests more than its running pods. (dict "sum" … "largest" … "one" (dict "name" "replicas" "new") "running" its object) */}}
{{- define "catchment.growth" -}}
{{- $before := dict "cpu" 0 "memory" 0 -}}
{{- $count := 0 -}}
{{- if .running -}}
{{- $count = dig "spec" "replicas" 1 .running | int -}}
{{- $before = include "catchment.podRequests" .running.spec.template.spec | fromYaml -}}
{{- end -}}
{{- $cpu := max 0 (sub (mul .one.replicas (int64 .one.new.cpu)) (mul $count (int64 $before.cpu))) -}}
{{- $memory := max 0 (sub (mul .one.replicas (int64 .one.new.memory)) (mul $count (int64 $before.memory))) -}}
{{- $_ := set .sum "cpu" (add .sum.cpu $cpu) }}{{ $_ := set .sum "memory" (add .sum.memory $memory) -}}
{{- if not .running -}}
{{- $_ := set .largest "cpu" (max (int64 .largest.cpu) (int64 .one.new.cpu)) }}{{ $_ := set .largest "memory" (max (int64 .largest.memory) (int64 .one.new.memory)) -}}
{{- end -}}
{{- if or $cpu $memory -}}
{{- toYaml (list (printf "%s %s cores and %s more" .one.name (include "catchment.coresText" $cpu) (include "catchment.mebibytesText" $memory))) -}}
{{- else -}}
[]
{{- end -}}
{{- end }}
