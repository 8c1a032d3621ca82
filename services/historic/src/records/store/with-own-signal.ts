/**
 * Runs work with a signal of its own, which aborts with the given one and after a time. For clients that leave their listener, and what it
 * holds, at a signal: one made by `AbortSignal.any` keeps those until its sources abort.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal,
  limitMs: number,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  const timer = setTimeout(
    () => own.abort(new DOMException(`took longer than ${limitMs} ms`, 'TimeoutError')),
    limitMs,
  );
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
