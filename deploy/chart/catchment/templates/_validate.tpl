{{- define "catchment.validate" -}}
{{- $values := .Values -}}
{{- if and (not $values.nats.url) (gt (int $values.streamReplicas) 1) }}
{{- fail (printf "streamReplicas: %d copies need a NATS cluster: give its URL in nats.url, the chart itself starts one server only" (int $values.streamReplicas)) }}
{{- end }}
{{- if not $values.nats.url }}
{{- $room := 0 }}
{{- range $stream, $usual := dict "ingestMiB" 2048 "appliedMiB" 512 "domainMiB" 1024 "notificationsMiB" 256 "deadletterMiB" 256 }}
{{- $room = add $room (int (get $values.streams $stream) | default $usual) }}
{{- end }}
{{- with $values.nats.trial }}
{{- if ge (int $room) (mul 1024 (int .fileStoreGiB) | int) }}
{{- fail (printf "streams: all together take %d MiB, which leaves nothing of %d GiB for attachments: raise nats.trial.fileStoreGiB and nats.trial.storage" (int $room) (int .fileStoreGiB)) }}
{{- end }}
{{- end }}
{{- end }}
{{- range list "postgresql" "nats" "influxdb" }}
{{- $backend := index $values . }}
{{- range splitList "," $backend.url }}
{{- if contains "@" . }}
{{- fail "postgresql.url, nats.url and influxdb.url must not hold a user or password: put them into a Secret (keys username and password) and name it in existingSecret" }}
{{- end }}
{{- end }}
{{- if and (not $backend.url) (or $backend.existingSecret (get $backend "clientCertificateSecret")) }}
{{- fail (printf "%s.existingSecret and %s.clientCertificateSecret belong to an external server: give %s.url too, or leave them empty" . . .) }}
{{- end }}
{{- end }}
{{- $names := list "default" }}
{{- range $values.influxdb.shards }}
{{- if has .name $names }}
{{- fail (printf "influxdb.shards: the name %s is taken; influxdb.url itself is the shard named default" .name) }}
{{- end }}
{{- $names = append $names .name }}
{{- if contains "@" .url }}
{{- fail (printf "influxdb.shards: the URL of %s must not hold a user or password: put them into a Secret (keys username and password) and name it in its existingSecret" .name) }}
{{- end }}
{{- end }}
{{- if and $values.influxdb.shards (not $values.influxdb.url) }}
{{- fail "influxdb.shards: several InfluxDBs are servers of your own: give influxdb.url too, the chart itself starts one for trials only" }}
{{- end }}
{{- if and $values.influxdb.newShard (ne $values.influxdb.newShard "fewest") (not (has $values.influxdb.newShard $names)) }}
{{- fail (printf "influxdb.newShard: there is no shard %s: name one of %s, or fewest" $values.influxdb.newShard (join ", " $names)) }}
{{- end }}
{{- with $values.backup }}
{{- if and .enabled (eq (empty .recipientSecret) (not .plain)) }}
{{- fail "backup: name the Secret with the public key to encrypt with in backup.recipientSecret, or set backup.plain=true where the volume is encrypted already" }}
{{- end }}
{{- end }}
{{- if and $values.backup.restore.enabled (not $values.backup.enabled) }}
{{- fail "backup.restore: the backups are on the volume of backup: set backup.enabled=true too" }}
{{- end }}
{{- if and $values.image.digest $values.render.reports.enabled (not $values.render.reports.digest) }}
{{- fail "render.reports.digest: give the digest of the image with Chromium beside image.digest, or turn render.reports.enabled off" }}
{{- end }}
{{- if contains "@" $values.mail.url }}
{{- fail "mail.url must not hold a user or password: put them into a Secret (keys username and password) and name it in mail.existingSecret" }}
{{- end }}
{{- if and $values.mail.url (not $values.mail.from) }}
{{- fail "mail.from: name the sender of the mails" }}
{{- end }}
{{- if and (not $values.mail.url) (or $values.mail.from $values.mail.existingSecret) }}
{{- fail "mail.from and mail.existingSecret belong to a mail server: give mail.url too, or leave them empty" }}
{{- end }}
{{- if regexMatch "^https?://[^/?#]*@" $values.sms.url }}
{{- fail "sms.url must not hold a user or password: put them into a Secret (keys username and password) and name it in sms.existingSecret" }}
{{- end }}
{{- if and (or $values.sms.preset $values.sms.url) (not $values.sms.from) }}
{{- fail "sms.from: name the sender of the SMS" }}
{{- end }}
{{- if and (not $values.sms.preset) (not $values.sms.url) (or $values.sms.from $values.sms.existingSecret) }}
{{- fail "sms.from and sms.existingSecret belong to a gateway: give sms.preset or sms.url too, or leave them empty" }}
{{- end }}
{{- if and $values.kafka.brokers (ne (eq $values.kafka.saslMechanism "none") (empty $values.kafka.existingSecret)) }}
{{- fail "kafka.saslMechanism and kafka.existingSecret go together: name both, or leave them as they are" }}
{{- end }}
{{- if and (not $values.kafka.brokers) $values.kafka.existingSecret }}
{{- fail "kafka.existingSecret belongs to brokers: give kafka.brokers too, or leave it empty" }}
{{- end }}
{{- if and $values.monitoring.podMonitor.enabled $values.networkPolicy.enabled (not $values.monitoring.scrapeFrom) }}
{{- fail "monitoring.scrapeFrom: nobody would be let in to scrape: name the namespace or the pods of Prometheus, as `from` of a NetworkPolicy" }}
{{- end }}
{{- if eq $values.image.tag "latest" }}
{{- fail "image.tag: latest says nothing about what runs, and an upgrade to it would not roll: name a version, or a digest in image.digest" }}
{{- end }}
{{- if and $values.gateway.ingress.enabled (not $values.gateway.ingress.host) }}
{{- fail "gateway.ingress.host: an Ingress needs the host name under which clients call" }}
{{- end }}
{{- if and $values.gateway.ingress.enabled (not $values.gateway.ingress.tlsSecret) (not $values.gateway.ingress.allowPlain) }}
{{- fail "gateway.ingress: API keys would travel unencrypted: name the certificate in gateway.ingress.tlsSecret, or set gateway.ingress.allowPlain=true where TLS ends before the Ingress" }}
{{- end }}
{{- if and (eq $values.gateway.service.type "LoadBalancer") $values.gateway.requireHttps (not $values.gateway.trustedProxies) }}
{{- fail "gateway.requireHttps: nobody would be let in: name the proxy that ends TLS in gateway.trustedProxies" }}
{{- end }}
{{- if and (ne $values.devices.modem.service.type "ClusterIP") (not $values.devices.modem.tlsSecret) (not $values.devices.modem.allowPlain) }}
{{- fail "devices.modem: modems' passwords would travel unencrypted: name a certificate in devices.modem.tlsSecret, or set devices.modem.allowPlain=true" }}
{{- end }}
{{- $listeners := $values.devices.listeners }}
{{- if and (ne $listeners.service.type "ClusterIP") (not $listeners.tlsSecret) (not $listeners.allowPlain) }}
{{- fail "devices.listeners: keys and passwords would travel unencrypted: name a certificate in devices.listeners.tlsSecret, or set devices.listeners.allowPlain=true" }}
{{- end }}
{{- $known := list "service" "stations" "tlsSecret" "allowPlain" }}
{{- range $.Files.Get "files/listeners.json" | fromJsonArray }}{{ $known = append $known .name }}{{ end }}
{{- range $name, $_ := $listeners }}
{{- if not (has $name $known) }}
{{- fail (printf "devices.listeners.%s: there is no such listener" $name) }}
{{- end }}
{{- end }}
{{- if and $listeners.sftp.enabled (not $listeners.sftp.hostKeySecret) }}
{{- fail "devices.listeners.sftp: clients know the server by its key: name its Secret in devices.listeners.sftp.hostKeySecret" }}
{{- end }}
{{- if and $listeners.smtp.enabled (not $listeners.smtp.domain) }}
{{- fail "devices.listeners.smtp: name what follows the @ in devices.listeners.smtp.domain" }}
{{- end }}
{{- include "catchment.validateProcesses" . }}
{{- include "catchment.validateParts" . }}
{{- range $name := include "catchment.services" . | fromYamlArray }}
{{- $workload := include "catchment.workload" (dict "root" $ "name" $name) | fromYaml }}
{{- with $workload.autoscaling }}
{{- if and .enabled (lt (int .maxReplicas) (int .minReplicas)) }}
{{- fail (printf "%s.autoscaling: maxReplicas (%d) is below minReplicas (%d)" $name (int .maxReplicas) (int .minReplicas)) }}
{{- end }}
{{- end }}
{{- with $workload.autoscaling }}
{{- if and .enabled .lag.enabled (not .lag.prometheusUrl) }}
{{- fail (printf "%s.autoscaling.lag: give the address of Prometheus in prometheusUrl: KEDA asks it how far readers are behind" $name) }}
{{- end }}
{{- if and .lag.enabled (not .enabled) }}
{{- fail (printf "%s.autoscaling.lag: set autoscaling.enabled too" $name) }}
{{- end }}
{{- if and .lag.enabled $values.networkPolicy.enabled (not $values.monitoring.scrapeFrom) }}
{{- fail (printf "%s.autoscaling.lag: Prometheus would not be let in to the pods, and nobody would know how far readers are behind: name its namespace or pods in monitoring.scrapeFrom" $name) }}
{{- end }}
{{- end }}
{{- /* What the chart sets by its own values, and what a ConfigMap would show to everybody. */}}
{{- $own := "^((DATABASE|NATS|INFLUX(_[A-Z0-9]+)?|SMTP|SMS|KAFKA)_(URL|PASSWORD)|(BASE|MAP_TILES)_URL|(NODES|HISTORIC|ALARMS|EVENTS|DEVICES|RENDER|PROCESSING|FTP_PUBLIC)_ADDRESS|SERVICE_TOKEN_SECRET|INGEST_PARTITIONS|SMS_HEADERS)$" }}
{{- range $variable, $_ := $workload.env }}
{{- if regexMatch $own $variable }}
{{- fail (printf "%s.env: %s is set by the chart: use its own value for it" $name $variable) }}
{{- end }}
{{- if regexMatch "(SECRET|PASSWORD|_TOKEN|_HEADERS)$" $variable }}
{{- fail (printf "%s.env: %s is secret, and would lie in a ConfigMap: put it into a Secret and name that in %s.envFromSecret" $name $variable $name) }}
{{- end }}
{{- end }}
{{- end }}
{{- $running := (lookup "v1" "ConfigMap" .Release.Namespace (printf "%s-historic" (include "catchment.fullname" .))).data | default dict }}
{{- $before := get $running "INGEST_PARTITIONS" }}
{{- if and $before (ne $before ($values.ingestPartitions | int | toString)) }}
{{- fail (printf "ingestPartitions: this installation has %s and keeps them for life; %d would put series into other partitions" $before (int $values.ingestPartitions)) }}
{{- end }}
{{- include "catchment.checkCluster" . }}
{{- end }}

{{/* Which services may share pods, and what their values may say then. */}}
{{- define "catchment.validateProcesses" -}}
{{- $taken := dict }}
{{- $reserved := concat (include "catchment.services" . | fromYamlArray) (list "postgresql" "nats" "influxdb" "migrate" "preflight" "first-account" "backup" "doctor" "test" "retire" "settle" "metrics" "default-deny" "scraper" "generated" "modems" "listeners") }}
{{- /* Settings that a process has once, as those of Node.js. */}}
{{- $ofProcess := "^(NODE_|UV_|MALLOC_|OTEL_|TELEMETRY_FOLDER$|START_LIMIT_SECONDS$|TZ$)" }}
{{- range $process, $values := .Values.processes }}
{{- if has $process $reserved }}
{{- fail (printf "processes: %s is the name of another part of the chart: choose one that says what the pods are for, as core or front" $process) }}
{{- end }}
{{- range $variable, $_ := $values.env }}
{{- if not (regexMatch $ofProcess $variable) }}
{{- fail (printf "processes.%s.env: %s is a setting of services: give it in the env of one of %s, or in workload.env" $process $variable (join ", " $values.services)) }}
{{- end }}
{{- end }}
{{- range $service := $values.services }}
{{- with get $taken $service }}
{{- fail (printf "processes: %s is in %s and in %s; a service runs in one" $service . $process) }}
{{- end }}
{{- $_ := set $taken $service $process }}
{{- $own := index $.Values $service }}
{{- if ($own.autoscaling | default dict).enabled | default $.Values.workload.autoscaling.enabled }}
{{- fail (printf "%s.autoscaling: %s shares the pods of %s, which are not scaled by what one of them does: take it out of processes.%s.services, or leave autoscaling off" $service $service $process $process) }}
{{- end }}
{{- if gt (int $own.replicas) 1 }}
{{- fail (printf "%s.replicas: %s shares the pods of %s: say how many in processes.%s.replicas" $service $service $process $process) }}
{{- end }}
{{- range list "podDisruptionBudget" "rollingUpdate" "extraVolumes" "extraVolumeMounts" "drainDelaySeconds" "nodeSelector" "tolerations" "affinity" "topologySpread" "priorityClassName" "podAnnotations" "podLabels" }}
{{- if hasKey $own . }}
{{- fail (printf "%s.%s: %s shares the pods of %s: give it in processes.%s" $service . $service $process $process) }}
{{- end }}
{{- end }}
{{- range $variable, $_ := $own.env }}
{{- if regexMatch $ofProcess $variable }}
{{- fail (printf "%s.env: %s holds for a whole process, and %s shares that of %s: give it in processes.%s.env" $service $variable $service $process $process) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.devices.listeners.ftp }}
{{- $first := int .passivePorts.first }}
{{- if and .enabled (le $first 50068) (gt (add $first .passivePorts.count) 50051) }}
{{- fail "devices.listeners.ftp.passivePorts: 50051 to 50068 are the ports of calls between services: choose others" }}
{{- end }}
{{- end }}
{{- include "catchment.running" . }}
{{- range $process, $values := .Values.processes }}
{{- with get $.Values.running $process }}
{{- if ne (sortAlpha $values.services | join ", ") (join ", " .services) }}
{{- fail (printf "processes.%s: its pods run %s: give another set of services another name, so that its pods are ready before these go" $process (join ", " .services)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
