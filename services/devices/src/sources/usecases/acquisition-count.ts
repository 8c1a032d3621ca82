import { TRANSPORT_NAMES, type TransportName } from '@catchment/contracts/transports';
import { DomainError } from '@catchment/errors';
import { counter } from '@catchment/telemetry';
import { isRefusal } from '../domain/write-failure.ts';

const OUTCOMES = ['ok', 'failed', 'refused'] as const;

/** Counts the sessions that this service begins, and what devices push; attempts of strangers are no acquisitions. */
export const acquisitions = counter({
  name: 'catchment_acquisitions_total',
  help: 'Sessions, and messages, files and mails that were pushed, by their outcome: ok; failed; refused, because they can never be stored.',
  labels: ['transport', 'outcome'],
  known: TRANSPORT_NAMES.filter((name) => name !== 'None').flatMap((transport) =>
    OUTCOMES.map((outcome) => ({ transport, outcome })),
  ),
});

/** Counts what was pushed for a source that is known, each attempt by itself. */
export async function counted<T>(
  transport: TransportName,
  push: () => Promise<T>,
  isRefused: (error: unknown) => boolean = isRefusedPush,
): Promise<T> {
  try {
    const result = await push();
    acquisitions.add({ transport, outcome: 'ok' });
    return result;
  } catch (error) {
    acquisitions.add({ transport, outcome: isRefused(error) ? 'refused' : 'failed' });
    throw error;
  }
}

const isRefusedPush = (error: unknown): boolean => error instanceof DomainError && isRefusal(error.kind);
