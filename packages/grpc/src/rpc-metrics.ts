import { DomainError } from '@catchment/errors';
import { histogram } from '@catchment/telemetry';
import { grpcCode } from './grpc-errors.ts';

const LABELS = ['rpc_service', 'rpc_method', 'rpc_grpc_status_code'] as const;

export const serverDuration = histogram({
  name: 'rpc_server_call_duration_seconds',
  help: 'Duration of calls that this service answers, streams until their end.',
  labels: LABELS,
});
export const clientDuration = histogram({
  name: 'rpc_client_call_duration_seconds',
  help: 'Duration of calls to other services, streams until their end.',
  labels: LABELS,
});

/** Names of a method: `/catchment.nodes.v1.NodesService/GetNode`. */
type RpcName = { readonly rpc_service: string; readonly rpc_method: string };

const names = new Map<string, RpcName>();

/** @param path as contracts have it: there are few */
function rpcName(path: string): RpcName {
  let name = names.get(path);
  if (!name) {
    const [service = '', method = ''] = path.replace(/^\//, '').split('/');
    name = { rpc_service: service, rpc_method: method };
    names.set(path, name);
  }
  return name;
}

/** Returns name and attributes of a span by OpenTelemetry's conventions. @param path as contracts have it */
export const rpcSpan = (path: string) => {
  const method = path.slice(1);
  return { name: method, attributes: { 'rpc.system.name': 'grpc', 'rpc.method': method } };
};

/** A caller that has left, or whom we have left, is no failure; a stream may also end by its deadline. */
export const isCallFailure = (error: unknown): boolean => !(error instanceof DomainError && error.kind === 'cancelled');
export const isStreamFailure = (error: unknown): boolean =>
  isCallFailure(error) && !(error instanceof DomainError && error.reason === 'DEADLINE_EXCEEDED');

/** Measures one call. @returns to be called at its end, with what it failed with */
export function measured(duration: typeof serverDuration, path: string): (error?: unknown) => void {
  const beganMs = performance.now();
  return (error) =>
    duration.observe({ ...rpcName(path), rpc_grpc_status_code: codeOf(error) }, (performance.now() - beganMs) / 1_000);
}

const codeOf = (error: unknown): string => (error === undefined ? '0' : String(grpcCode(error)));
