import { DomainError, unavailable } from '@catchment/errors';

/** These end a call before its answer, the same by every way that calls go. */
export const callerLeft = (): DomainError => new DomainError('cancelled', 'CALLER_LEFT', 'The caller left');
export const deadlineExceeded = (): DomainError =>
  new DomainError('deadline_exceeded', 'DEADLINE_EXCEEDED', 'Service temporarily unavailable');
export const peerUnavailable = (cause?: unknown): DomainError =>
  unavailable('PEER_UNAVAILABLE', cause === undefined ? {} : { cause });
export const tooManyCalls = (): DomainError => unavailable('TOO_MANY_CALLS');
