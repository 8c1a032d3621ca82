import { signal } from '@preact/signals';

/** A stream says something every 15 s; one that is silent for this long is frozen, or the device has slept. */
const SILENT_MS = 40_000;
/** A shorter loss, of a server that restarts or a network that changes, is not worth a word. */
const GRACE_MS = 3_000;
const WATCH_MS = 5_000;

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'away'; readonly sinceMs: number };

/** Says whether the page shows what is current. */
export const connection = signal<Connection>({ kind: 'connecting' });
/** Texts such as "5 minutes ago" follow this clock. */
export const nowMs = signal(Date.now());

let lastMs = Date.now();
let openStreams = 0;
let hasBeenOpen = false;

/** Returns an open stream, whose every part is a sign of life. @param onEnd is called once it is over */
export function heard(response: Response, onEnd: () => void): Response {
  if (response.body === null) return response;
  openStreams += 1;
  sign();
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    openStreams -= 1;
    lostStream();
    onEnd();
  };
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          over();
          controller.close();
          return;
        }
        sign();
        controller.enqueue(value);
      } catch (error) {
        over();
        controller.error(error);
      }
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

function sign(): void {
  lastMs = Date.now();
  hasBeenOpen = true;
  if (connection.value.kind !== 'live') connection.value = { kind: 'live' };
}

/** A stream ended or did not open; it is said when no other one has come for a moment. */
export function lostStream(): void {
  setTimeout(look, GRACE_MS);
}

/** Looks at whether the page is connected, after a sleep too. */
function look(): void {
  const now = Date.now();
  nowMs.value = now;
  const isAway = openStreams === 0 ? now - lastMs >= GRACE_MS : now - lastMs >= SILENT_MS;
  if (!isAway || connection.value.kind === 'away' || (!hasBeenOpen && now - lastMs <= SILENT_MS / 4)) return;
  connection.value = { kind: 'away', sinceMs: lastMs };
  // Streams that are open and say nothing are dead, as after a sleep that no browser has reported.
  if (openStreams > 0) wake();
}

/** These are called when a person or the browser says that the network may be back. */
const wakers = new Set<() => void>();
export const onWake = (wake: () => void): void => {
  wakers.add(wake);
};
export const wake = (): void => {
  for (const waker of wakers) waker();
};

/** Watches the connection and the clock for as long as the page is there. */
export function watchConnection(): void {
  setInterval(look, WATCH_MS);
  addEventListener('online', wake);
  addEventListener('offline', () => {
    connection.value = { kind: 'away', sinceMs: lastMs };
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    look();
    if (connection.value.kind === 'away') wake();
  });
}
