import { toDomainError, tooLarge } from '@catchment/errors';

/**
 * Reads within a time. The clock ends with the work: a signal of the platform's own that nobody waits for any more still makes an error
 * at its end.
 * @throws DomainError too_large when the time is over; otherwise the failure of the work
 */
export async function withinTime<T>(
  limitMs: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLarge()), limitMs);
  try {
    return await work(AbortSignal.any([caller, late.signal]));
  } catch (error) {
    throw late.signal.aborted ? tooLarge() : toDomainError(error);
  } finally {
    clearTimeout(timer);
  }
}
