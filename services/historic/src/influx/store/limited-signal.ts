/**
 * Runs work with a new signal, which aborts with the given signal and after a time. It is for clients that leave their listener, and what
 * that holds, at a signal: a signal made by `AbortSignal.any` keeps those until its sources abort.
 */
export async function withLimitedSignal<T>(
  signal: AbortSignal,
  limitMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limited = new AbortController();
  const abort = () => limited.abort(signal.reason);
  const timer = setTimeout(
    () => limited.abort(new DOMException(`took longer than ${limitMs} ms`, 'TimeoutError')),
    limitMs,
  );
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
