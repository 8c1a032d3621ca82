{{/* Quantities of Kubernetes as whole numbers, so that they can be added and compared. */}}

{{/* Thousandths of a core: "250m", 0.5, 2. */}}
{{- define "catchment.millicores" -}}
{{- $text := toString . -}}
{{- if hasSuffix "m" $text }}{{ trimSuffix "m" $text | float64 | int64 }}{{ else if hasSuffix "n" $text }}{{ divf (trimSuffix "n" $text | float64) 1000000.0 | int64 }}
{{- else if hasSuffix "u" $text }}{{ divf (trimSuffix "u" $text | float64) 1000.0 | int64 }}{{ else }}{{ mulf (float64 $text) 1000.0 | int64 }}{{ end -}}
{{- end }}

{{/* Bytes: "512Mi", "1G", 1048576. */}}
{{- define "catchment.bytes" -}}
{{- $text := toString . -}}
{{- $unit := regexFind "[EPTGMk]i?$|[Km]i?$" $text -}}
{{- $powers := dict "" 1 "m" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "P" 1000000000000000 "E" 1000000000000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 -}}
{{- $factor := get $powers $unit | default 1 -}}
{{- $number := trimSuffix $unit $text | float64 -}}
{{- if eq $unit "m" }}{{ divf $number 1000.0 | int64 }}{{ else }}{{ mulf $number (float64 $factor) | int64 }}{{ end -}}
{{- end }}

{{/* For people: 250 → 0.25 */}}
{{- define "catchment.coresText" -}}{{ divf (float64 .) 1000.0 | toString }}{{- end }}
{{- define "catchment.mebibytesText" -}}{{ div . 1048576 }} MiB{{- end }}

{{/* What the containers of a pod request together. (its spec) */}}
{{- define "catchment.podRequests" -}}
{{- $cpu := 0 -}}
{{- $memory := 0 -}}
{{- range .containers }}{{ with dig "resources" "requests" dict . -}}
{{- $cpu = add $cpu (include "catchment.millicores" (get . "cpu" | default 0)) -}}
{{- $memory = add $memory (include "catchment.bytes" (get . "memory" | default 0)) -}}
{{- end }}{{ end -}}
{{- range .initContainers }}{{ $always := eq (get . "restartPolicy") "Always" }}{{ with dig "resources" "requests" dict . -}}
{{- $own := dict "cpu" (include "catchment.millicores" (get . "cpu" | default 0) | int64) "memory" (include "catchment.bytes" (get . "memory" | default 0) | int64) -}}
{{- if $always }}{{ $cpu = add $cpu $own.cpu }}{{ $memory = add $memory $own.memory }}{{ else }}{{ $cpu = max $cpu $own.cpu }}{{ $memory = max $memory $own.memory }}{{ end -}}
{{- end }}{{ end -}}
cpu: {{ $cpu }}
memory: {{ $memory }}
{{- end }}
