import type { Metric } from '../metrics/registry.ts';

/** Metrics that OpenTelemetry's semantic conventions know, by their name in Prometheus. */
export const SEMANTIC_NAMES: Readonly<Record<string, string>> = {
  http_server_request_duration_seconds: 'http.server.request.duration',
  rpc_server_call_duration_seconds: 'rpc.server.call.duration',
  rpc_client_call_duration_seconds: 'rpc.client.call.duration',
  messaging_process_duration_seconds: 'messaging.process.duration',
  db_client_operation_duration_seconds: 'db.client.operation.duration',
};

/** Their attributes by label names. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  http_request_method: 'http.request.method',
  http_route: 'http.route',
  http_response_status_code: 'http.response.status_code',
  rpc_service: 'rpc.service',
  rpc_method: 'rpc.method',
  rpc_grpc_status_code: 'rpc.grpc.status_code',
  messaging_destination_name: 'messaging.destination.name',
  messaging_consumer_group_name: 'messaging.consumer.group.name',
  db_system_name: 'db.system.name',
  db_operation_name: 'db.operation.name',
  error_type: 'error.type',
};

const UNITS = [
  [/_seconds(_total)?$/, 's'],
  [/_bytes(_total)?$/, 'By'],
] as const;

/**
 * Returns name and unit by OpenTelemetry's conventions; a collector that writes Prometheus makes the same name of them again. So the unit
 * of numbers and shares is none: a gauge with the unit 1 would get the name `…_ratio`, and no rule would find it.
 */
export const descriptorOf = ({ name, type }: Pick<Metric, 'name' | 'type'>): { name: string; unit: string } => ({
  name: SEMANTIC_NAMES[name] ?? (type === 'counter' ? name.replace(/_total$/, '') : name),
  unit: UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? '',
});

/** Labels as attributes; an `error_type` that is empty means that there was none. */
export const attributesOf = (labels: Readonly<Partial<Record<string, string | number>>>) =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([name, value]) => value !== undefined && !(name === 'error_type' && value === ''))
      .map(([name, value]) => [ATTRIBUTES[name] ?? name, value as string | number]),
  );
