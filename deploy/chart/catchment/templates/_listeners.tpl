{{/*
Where clients of devices connect beside modems: from files/listeners.json, which is generated, and what the values open, environment, ports, Service and
network policy are made. Of each port: its name, the setting of its address, its own, the port of the container, that of the Service, whether its traffic is encrypted,
and where the settings of its certificate begin.
*/}}
{{- define "catchment.listeners" -}}
{{- $of := .Values.devices.listeners -}}
{{- $tls := not (empty $of.tlsSecret) -}}
listeners:
  {{- range .Files.Get "files/listeners.json" | fromJsonArray }}
  {{- if or (dig .name "enabled" false $of) (dig "stations" .name false $of) }}
  {{- $isEncrypted := or (eq .encryption "always") (and $tls (eq .encryption "with certificate")) }}
  - {name: {{ .name }}, host: {{ .hostSetting }}, setting: {{ .portSetting }}, container: {{ .bound }}, port: {{ .port }}, isEncrypted: {{ $isEncrypted }}, certificate: {{ .certificate | default "" | quote }}}
  {{- if and $tls .tls }}
  - {name: {{ .tls.name }}, setting: {{ .tls.setting }}, container: {{ .tls.bound }}, port: {{ .tls.port }}, isEncrypted: true}
  {{- end }}
  {{- if eq .name "ftp" }}
  {{- range $n := until (int $of.ftp.passivePorts.count) }}
  {{- $port := add $of.ftp.passivePorts.first $n }}
  - {name: ftp-{{ $n }}, container: {{ $port }}, port: {{ $port }}, isEncrypted: {{ $tls }}}
  {{- end }}
  {{- end }}
  {{- end }}
  {{- end }}
{{- end }}

{{/* Settings of devices for them. */}}
{{- define "catchment.listenerSettings" -}}
{{- $of := .Values.devices.listeners -}}
{{- $env := dict -}}
{{- range .Files.Get "files/listeners.json" | fromJsonArray -}}
{{- /* Off, unless it is among those that are open. */ -}}
{{- if .isUsual }}{{ $_ := set $env .portSetting "" }}{{ end -}}
{{- end -}}
{{- range (include "catchment.listeners" . | fromYaml).listeners -}}
{{- if .host }}{{ $_ := set $env .host $.Values.listenAddress }}{{ end -}}
{{- if .setting }}{{ $_ := set $env .setting (.container | toString) }}{{ end -}}
{{- if and $of.tlsSecret .certificate -}}
{{- $_ := set $env (printf "%s_TLS_CERT_FILE" .certificate) "/etc/catchment/listener-tls/tls.crt" -}}
{{- $_ := set $env (printf "%s_TLS_KEY_FILE" .certificate) "/etc/catchment/listener-tls/tls.key" -}}
{{- end -}}
{{- end -}}
{{- if $of.ftp.enabled -}}
{{- $first := int $of.ftp.passivePorts.first -}}
{{- $_ := set $env "FTP_PASSIVE_PORTS" (printf "%d-%d" $first (sub (add $first $of.ftp.passivePorts.count) 1)) -}}
{{- with $of.ftp.publicAddress }}{{ $_ := set $env "FTP_PUBLIC_ADDRESS" . }}{{ end -}}
{{- end -}}
{{- if $of.sftp.enabled }}{{ $_ := set $env "SFTP_HOST_KEY_FILES" "/etc/catchment/sftp-host-keys/ssh-privatekey" }}{{ end -}}
{{- if $of.smtp.enabled }}{{ $_ := set $env "SMTP_INTAKE_DOMAIN" $of.smtp.domain }}{{ end -}}
{{- with .Values.devices.egress.allowedRanges }}{{ $_ := set $env "EGRESS_ALLOWED_RANGES" (join "," .) }}{{ end -}}
{{- toYaml $env -}}
{{- end }}
