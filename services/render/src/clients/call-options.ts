import type { CallOptions } from '@catchment/grpc';
import type { Call } from '../usecases/ports.ts';

/** Options of a call to a peer in the time that is left of the one in hand. */
export const callOptions = ({ token, deadlineMs, signal }: Call): CallOptions => ({
  token,
  deadlineMs,
  timeoutMs: Math.max(deadlineMs - Date.now(), 1),
  signal,
});
