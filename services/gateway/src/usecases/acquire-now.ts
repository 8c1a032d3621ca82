import { DomainError } from '@catchment/errors';
import type { CallOptions } from '@catchment/grpc';
import type { Peers } from './ports.ts';

/**
 * Acquire now: devices asks the source for its data, processing runs what is computed; a source may have both.
 * @throws DomainError failed_precondition where there is nothing of either, or the source cannot be asked now
 */
export async function acquireNow(
  { devices, processing }: Pick<Peers, 'devices' | 'processing'>,
  nodeRef: string,
  options: CallOptions,
): Promise<void> {
  const cannot = await devices.acquire({ nodeRef }, options).then(() => undefined, only('NOT_ACQUIRABLE'));
  const hasNone = await processing
    .acquire({ nodeRef, isRecorded: cannot === undefined }, options)
    .then(() => undefined, only('NO_PROGRAM'));
  if (!cannot || !hasNone) return;
  const message = `${cannot.message}; ${hasNone.message.replace(/^id: /, '')}`;
  throw new DomainError('failed_precondition', 'NOT_ACQUIRABLE', message);
}

/** Returns the refusal with this reason; every other error goes on. */
const only =
  (reason: 'NOT_ACQUIRABLE' | 'NO_PROGRAM') =>
  (error: unknown): DomainError => {
    if (error instanceof DomainError && error.reason === reason) return error;
    throw error;
  };
