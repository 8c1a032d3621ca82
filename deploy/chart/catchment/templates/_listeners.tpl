{{/*
Where clients of devices connect beside modems: the one table from which environment, ports, Service and network policy are made. Of each: its
name, the setting of its port, the port of the container, that of the Service, and whether its traffic is encrypted.
*/}}
{{- define "catchment.listeners" -}}
{{- $of := .Values.devices.listeners -}}
{{- $tls := not (empty $of.tlsSecret) -}}
listeners:
  {{- if $of.callback.enabled }}
  - {name: callback, setting: CALLBACK_PORT, container: 4332, port: 4332, isEncrypted: false}
  {{- if $tls }}
  - {name: callback-tls, setting: CALLBACK_TLS_PORT, container: 4335, port: 4335, isEncrypted: true}
  {{- end }}
  {{- end }}
  {{- if $of.mqtt.enabled }}
  - {name: mqtt, setting: MQTT_PORT, container: 1883, port: 1883, isEncrypted: false}
  {{- if $tls }}
  - {name: mqtt-tls, setting: MQTT_TLS_PORT, container: 8883, port: 8883, isEncrypted: true}
  {{- end }}
  {{- end }}
  {{- if $of.ftp.enabled }}
  - {name: ftp, setting: FTP_PORT, container: 2121, port: 21, isEncrypted: false}
  {{- if $tls }}
  - {name: ftps, setting: FTP_TLS_PORT, container: 2990, port: 990, isEncrypted: true}
  {{- end }}
  {{- range $n := until (int $of.ftp.passivePorts.count) }}
  {{- $port := add $of.ftp.passivePorts.first $n }}
  - {name: ftp-{{ $n }}, container: {{ $port }}, port: {{ $port }}, isEncrypted: {{ $tls }}}
  {{- end }}
  {{- end }}
  {{- if $of.sftp.enabled }}
  - {name: sftp, setting: SFTP_PORT, container: 2222, port: 22, isEncrypted: true}
  {{- end }}
  {{- if $of.smtp.enabled }}
  - {name: smtp, setting: SMTP_INTAKE_PORT, container: 2525, port: 25, isEncrypted: {{ $tls }}}
  {{- end }}
  {{- if $of.stations.waterlog }}
  - {name: waterlog, setting: WATERLOG_PORT, container: 32213, port: 32213, isEncrypted: false}
  {{- if $tls }}
  - {name: waterlog-tls, setting: WATERLOG_TLS_PORT, container: 32214, port: 32214, isEncrypted: true}
  {{- end }}
  {{- end }}
  {{- if $of.stations.waspmote }}
  - {name: waspmote, setting: WASPMOTE_PORT, container: 5566, port: 5566, isEncrypted: false}
  {{- if $tls }}
  - {name: waspmote-tls, setting: WASPMOTE_TLS_PORT, container: 5567, port: 5567, isEncrypted: true}
  {{- end }}
  {{- end }}
{{- end }}

{{/* Settings of devices for them. */}}
{{- define "catchment.listenerSettings" -}}
{{- $of := .Values.devices.listeners -}}
{{- $env := dict -}}
{{- range list "CALLBACK_HOST" "MQTT_HOST" "UPLOAD_HOST" "STATIONS_HOST" }}{{ $_ := set $env . $.Values.listenAddress }}{{ end -}}
{{- /* Off, unless the table names them. */ -}}
{{- range list "CALLBACK_PORT" "MQTT_PORT" }}{{ $_ := set $env . "" }}{{ end -}}
{{- range (include "catchment.listeners" . | fromYaml).listeners -}}
{{- if .setting }}{{ $_ := set $env .setting (.container | toString) }}{{ end -}}
{{- end -}}
{{- if $of.tlsSecret -}}
{{- $names := list -}}
{{- if $of.callback.enabled }}{{ $names = append $names "CALLBACK" }}{{ end -}}
{{- if $of.mqtt.enabled }}{{ $names = append $names "MQTT" }}{{ end -}}
{{- if $of.ftp.enabled }}{{ $names = append $names "FTP" }}{{ end -}}
{{- if $of.smtp.enabled }}{{ $names = append $names "SMTP_INTAKE" }}{{ end -}}
{{- if or $of.stations.waterlog $of.stations.waspmote }}{{ $names = append $names "STATIONS" }}{{ end -}}
{{- range $names -}}
{{- $_ := set $env (printf "%s_TLS_CERT_FILE" .) "/etc/catchment/listener-tls/tls.crt" -}}
{{- $_ := set $env (printf "%s_TLS_KEY_FILE" .) "/etc/catchment/listener-tls/tls.key" -}}
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
