{{/*
A ScaledObject of KEDA: by CPU and by what the readers of a service have not read. Every replica reports the same numbers. More pods than
partitions of the log do not read faster, but work beside it.
(dict "root" $ "name" "historic" "autoscaling" …)
*/}}
{{- define "catchment.scaledObject" -}}
{{- $readers := ternary "(writer|historic)(-.+)?" (printf "%s(-.+)?" .name) (eq .name "historic") -}}
{{- $selector := .autoscaling.lag.selector | default (printf "namespace=%q" .root.Release.Namespace) -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{- include "catchment.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ include "catchment.fullname" .root }}-{{ .name }}}
  minReplicaCount: {{ .autoscaling.minReplicas }}
  maxReplicaCount: {{ .autoscaling.maxReplicas }}
  # A reader that comes or goes costs a moment of each partition that it takes: slowly back.
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown: {stabilizationWindowSeconds: 300}
  # A Prometheus that is away, or that has no series of ours, changes nothing: no lag that is known is not no lag.
  fallback: {failureThreshold: 3, replicas: {{ .autoscaling.minReplicas }}, behavior: currentReplicasIfHigher}
  triggers:
    - type: cpu
      metricType: Utilization
      metadata: {value: {{ .autoscaling.targetCPUUtilizationPercentage | quote }}}
    - type: prometheus
      metricType: AverageValue
      metadata:
        serverAddress: {{ .autoscaling.lag.prometheusUrl | quote }}
        query: {{ printf "sum(max by (stream, reader) (catchment_reader_pending{%s,reader=~%q}))" $selector $readers | quote }}
        threshold: {{ .autoscaling.lag.messagesPerPod | int | quote }}
        ignoreNullValues: "false"
{{- end }}
