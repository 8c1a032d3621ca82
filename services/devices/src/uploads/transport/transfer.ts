import type { Socket } from 'node:net';

/**
 * Yields the bytes of a data connection until the client ends it.
 * @throws Error when it breaks, pauses too long, or `signal` aborts
 */
export async function* transferOf(
  socket: Socket,
  { pauseMs, signal }: { readonly pauseMs: number; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const abort = () => socket.destroy(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  let isOurTurn = false;
  socket.setTimeout(pauseMs, () => {
    // The store is slow, not the client.
    if (!isOurTurn) socket.destroy(new Error('nothing came for too long'));
  });
  try {
    for await (const chunk of socket) {
      isOurTurn = true;
      yield chunk as Buffer;
      isOurTurn = false;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    socket.setTimeout(0);
  }
}
