import { DomainError, toDomainError } from '@catchment/errors';
import {
  type Acquisition,
  after,
  retriesOf,
  retryAfter,
  SESSION_STATUSES,
  shownDuration,
} from '../../schedules/index.ts';
import type { Change, HeldSource } from './held-source.ts';
import { CommunicationFailure, FinalFailure } from './session-ports.ts';

/** Other services are away: it is looked again, and the source stays QUEUED. */
const AWAY_MS = 5_000;
const INTERNAL = 'internal error; the operator finds it in the log';

type Failure = {
  readonly error: unknown;
  /** The source is known to have these attributes. */
  readonly attributes: Parameters<typeof retriesOf>[1];
  readonly nowMs: number;
  readonly eventOf: HeldSource['eventOf'];
};

/** Returns false where settings could not be read: nothing was tried. */
export const wasTried = ({ status }: Acquisition, error: unknown): boolean =>
  status !== 'QUEUED' || !(error instanceof DomainError);

/** What a failed session makes of its source. */
export function afterFailure(acquisition: Acquisition, failure: Failure): Change {
  const { error, attributes, nowMs, eventOf } = failure;
  if (!wasTried(acquisition, error))
    return [{ ...acquisition, leaseId: null, instanceId: null, nextMs: nowMs + AWAY_MS }, { shows: true }];
  const known = after(acquisition, 'free', nowMs) ?? acquisition;
  const reason = reasonOf(error);
  const level = reason === INTERNAL ? 'ERROR' : 'DEBUG';
  // Data that has come is read, whatever became of the connection.
  if (known.status === 'PROCESSING' || !isConnecting(known)) {
    const event = eventOf('ERROR', `Acquisition failed: ${reason}`);
    return [after(known, 'internal failure', nowMs) ?? known, { shows: true, events: [event] }];
  }
  const retries = retriesOf(known, attributes);
  const retryMs = error instanceof FinalFailure ? undefined : retryAfter(retries, known.retries, nowMs);
  const text = `Connection failed: ${reason}`;
  if (retryMs === undefined) {
    const failed = after(known, 'failed', nowMs) ?? known;
    const attempts = [{ kind: 'SESSION' as const, nodeId: known.sourceId, failure: reason, timeMs: nowMs }];
    return [
      { ...failed, isAlarmed: true },
      { shows: true, events: [eventOf(level, text)], attempts },
    ];
  }
  const nth = known.retries + 1;
  const plan = ` [retry ${nth} of ${retries.attempts} in ${shownDuration(retries.delayMs)}]`;
  const retrying = after(known, 'failed with retries left', nowMs, retryMs) ?? known;
  return [
    { ...retrying, retries: nth },
    { shows: true, events: [eventOf(level, text + plan)] },
  ];
}

const isConnecting = ({ status }: Acquisition): boolean =>
  SESSION_STATUSES.some((sessionStatus) => sessionStatus === status);

/** Returns what a person reads: a rule of ours that was broken, or what the other side said. */
function reasonOf(error: unknown): string {
  if (error instanceof CommunicationFailure) return error.message;
  const { kind, message } = toDomainError(error);
  return kind === 'internal' ? INTERNAL : message;
}
