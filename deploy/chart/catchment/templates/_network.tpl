{{/* The internet, and what the operator allows beside it: a list of CIDR ranges. */}}
{{- define "catchment.internet" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 168.63.129.16/32, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/3]
# Public addresses of IPv6, without the forms that lead to one of IPv4.
- ipBlock:
    cidr: 2000::/3
    except: ["2001::/32", "2002::/16"]
{{- range . }}
- ipBlock: {cidr: {{ . | quote }}}
{{- end }}
{{- end }}

{{/* A peer of a NetworkPolicy: pods of this release. (dict "root" $ "name" "nodes") */}}
{{- define "catchment.peer" -}}
- podSelector:
    matchLabels: {{- include "catchment.podsOf" . | nindent 6 }}
{{- end }}

{{/* What the table of the architecture lets this part send and receive. (dict "root" $ "name" "nodes"), of a hook with its "annotations" */}}
{{- define "catchment.networkPolicy" -}}
{{- if .root.Values.networkPolicy.enabled -}}
{{- $table := include "catchment.architecture" .root | fromYaml -}}
{{- $part := get $table .name -}}
{{- $values := .root.Values -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "catchment.metadata" . | nindent 2 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  podSelector:
    matchLabels: {{- include "catchment.podsOf" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- if has .name (list "first-account" "migrate" "backup" "doctor" "retire" "settle") }}
  ingress: []
  {{- else }}
  ingress:
    {{- $callers := list }}
    {{- range $name, $caller := $table }}{{ if has $.name $caller.calls }}{{ $callers = append $callers $name }}{{ end }}{{ end }}
    {{- if $callers }}
    - from:
        {{- range sortAlpha $callers }}
        {{- include "catchment.peer" (dict "root" $.root "name" .) | nindent 8 }}
        {{- end }}
      ports: {{ include "catchment.policyPorts" (dict "root" $.root "name" $.name "kind" "grpc") }}
    {{- end }}
    {{- if eq .name "gateway" }}
    - ports: [{port: 8080}]
      {{- with $values.networkPolicy.gatewayFrom }}
      from:
        {{- if $values.firstAccount.email }}
        {{- include "catchment.peer" (dict "root" $.root "name" "test") | nindent 8 }}
        {{- end }}
        {{- include "catchment.peer" (dict "root" $.root "name" "doctor") | nindent 8 }}
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- if eq .name "devices" }}
    - ports:
        - {port: 4331}
        {{- if $values.devices.modem.tlsSecret }}
        - {port: 4334}
        {{- end }}
        {{- range (include "catchment.listeners" .root | fromYaml).listeners }}
        - {port: {{ .container }}}
        {{- end }}
    {{- end }}
  {{- end }}
  egress:
    {{- include "catchment.dnsEgress" .root | nindent 4 }}
    {{- range $part.calls }}
    - to: {{- include "catchment.peer" (dict "root" $.root "name" .) | nindent 8 }}
      ports: {{ include "catchment.policyPorts" (dict "root" $.root "name" . "kind" "grpc") }}
    {{- end }}
    {{- range $part.visits }}
    - to: {{- include "catchment.peer" (dict "root" $.root "name" .) | nindent 8 }}
      ports: [{port: 8080}]
    {{- end }}
    {{- if and (has "influxdb" $part.backends) $values.influxdb.shards }}
    {{- $ports := list }}
    {{- range $values.influxdb.shards }}{{ $ports = append $ports (regexFind ":[0-9]+$" (urlParse .url).host | trimPrefix ":" | default (ternary "443" "8086" (hasPrefix "https:" .url))) }}{{ end }}
    # Further InfluxDBs.
    - ports: [{{ range $n, $port := uniq $ports }}{{ if $n }}, {{ end }}{port: {{ $port }}}{{ end }}]
      {{- with $values.networkPolicy.backendCidrs }}
      to:
        {{- range . }}
        - ipBlock: {cidr: {{ . | quote }}}
        {{- end }}
      {{- end }}
    {{- end }}
    {{- range $backend := $part.backends }}
    {{- if index $values $backend "url" }}
    - ports: {{ include "catchment.backendPorts" (dict "root" $.root "backend" $backend) }}
      {{- with $values.networkPolicy.backendCidrs }}
      to:
        {{- range . }}
        - ipBlock: {cidr: {{ . | quote }}}
        {{- end }}
      {{- end }}
    {{- else }}
    - to: {{- include "catchment.peer" (dict "root" $.root "name" $backend) | nindent 8 }}
      ports: [{port: {{ include "catchment.backendPort" (dict "backend" $backend) }}}{{ if has $backend $part.watches }}, {port: 8222}{{ end }}]
    {{- end }}
    {{- end }}
    {{- if and (eq .name "doctor") (hasPrefix "https:" (include "catchment.baseUrl" .root)) }}
    # The certificate that clients are shown.
    - ports: [{port: {{ regexFind ":[0-9]+$" (urlParse (include "catchment.baseUrl" .root)).host | trimPrefix ":" | default "443" }}}]
    {{- end }}
    {{- if eq .name "events" }}
    # Webhooks
    - to: {{- include "catchment.internet" $values.events.webhooks.allowedRanges | nindent 8 }}
      ports: [{port: 443}{{ if $values.events.webhooks.allowHttp }}, {port: 80}{{ end }}]
    {{- end }}
    {{- if eq .name "devices" }}
    # Sources fetch from these: people choose the ports.
    - to: {{- include "catchment.internet" $values.devices.egress.allowedRanges | nindent 8 }}
    {{- end }}
    {{- if and (eq .name "render") $values.render.reports.enabled }}
    # Pictures of the web in reports.
    - to: {{- include "catchment.internet" $values.render.egress.allowedRanges | nindent 8 }}
      ports: [{port: 443}, {port: 80}]
    {{- end }}
    {{- if and $values.mail.url $part.mails }}
    - ports: [{port: {{ regexFind ":[0-9]+$" (urlParse $values.mail.url).host | trimPrefix ":" | default (ternary "465" "587" (hasPrefix "smtps:" $values.mail.url)) }}}]
    {{- end }}
    {{- if and (or $values.sms.preset $values.sms.url) $part.mails }}
    {{- $address := regexFind "^https?://[^/?#]+" ($values.sms.url | default "https://preset") }}
    - ports: [{port: {{ regexFind ":[0-9]+$" $address | trimPrefix ":" | default (ternary "443" "80" (hasPrefix "https:" $address)) }}}]
    {{- end }}
    {{- if and $values.kafka.brokers $part.topics }}
    {{- $ports := list }}
    {{- range splitList "," $values.kafka.brokers }}{{ $ports = append $ports (trim . | splitList ":" | last) }}{{ end }}
    - ports: [{{ range $n, $port := uniq $ports }}{{ if $n }}, {{ end }}{port: {{ $port }}}{{ end }}]
      {{- with $values.networkPolicy.backendCidrs }}
      to:
        {{- range . }}
        - ipBlock: {cidr: {{ . | quote }}}
        {{- end }}
      {{- end }}
    {{- end }}
    {{- if and $values.otlpEndpoint (not (has .name (list "first-account" "migrate" "backup" "doctor" "retire" "settle"))) }}
    - ports: [{port: {{ regexFind ":[0-9]+$" (urlParse $values.otlpEndpoint).host | trimPrefix ":" | default (ternary "443" "80" (hasPrefix "https:" $values.otlpEndpoint)) }}}]
    {{- end }}
    {{- if has .name (list "first-account" "retire" "settle" "doctor") }}
    - ports: [{port: 443}, {port: 6443}]
      {{- with $values.networkPolicy.kubernetesApiCidrs }}
      to:
        {{- range . }}
        - ipBlock: {cidr: {{ . | quote }}}
        {{- end }}
      {{- end }}
    {{- end }}
{{- end -}}
{{- end }}

{{- define "catchment.dnsEgress" -}}
- to:
    - namespaceSelector:
        matchLabels: {kubernetes.io/metadata.name: {{ .Values.networkPolicy.dnsNamespace }}}
  ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
{{- end }}

{{/* A backend that the chart starts is reached by those that use it, and reaches nobody. `migrate` brings a policy of its own. */}}
{{- define "catchment.backendPolicy" -}}
{{- if .root.Values.networkPolicy.enabled -}}
{{- $users := list -}}
{{- range $name, $part := include "catchment.architecture" .root | fromYaml }}{{ if and (has $.name $part.backends) (ne $name "migrate") }}{{ $users = append $users $name }}{{ end }}{{ end -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {{- include "catchment.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels: {{- include "catchment.podsOf" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        {{- range sortAlpha $users }}
        {{- include "catchment.peer" (dict "root" $.root "name" .) | nindent 8 }}
        {{- end }}
      ports: [{port: {{ include "catchment.backendPort" (dict "backend" .name) }}}]
    {{- if eq .name "nats" }}
    - from:
        {{- range $name, $part := include "catchment.architecture" .root | fromYaml }}
        {{- if has $.name $part.watches }}
        {{- include "catchment.peer" (dict "root" $.root "name" $name) | nindent 8 }}
        {{- end }}
        {{- end }}
      ports: [{port: 8222}]
    {{- end }}
  egress: []
{{- end -}}
{{- end }}
