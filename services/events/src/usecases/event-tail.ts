import { Wakeup } from '@catchment/pg';
import type { EventStore } from './ports.ts';

/** A watch ends after this time, so that watchers find new replicas. */
const WATCH_MS = 5 * 60_000;

type Watcher = { readonly wakeup: Wakeup; readonly ownerIds: Set<string> };

/** Follows the end of the log for this replica: each new event is looked at once, whoever watches. */
export class EventTail {
  readonly #events: Pick<EventStore, 'lastPosition' | 'accountsAfter'>;
  readonly #watchers = new Set<Watcher>();
  /** All watchers have heard of the events up to here; undefined = nobody watches. */
  #position: number | undefined;
  #isClosed = false;

  constructor(events: Pick<EventStore, 'lastPosition' | 'accountsAfter'>) {
    this.#events = events;
  }

  /** Notifies the watchers of what is new; to be called again and again. Without watchers it asks nothing. */
  async look(): Promise<void> {
    if (this.#watchers.size === 0) this.#position = undefined;
    if (this.#position === undefined) return;
    const { position, ownerIds } = await this.#events.accountsAfter(this.#position);
    this.#position = position;
    if (ownerIds.length === 0) return;
    for (const watcher of this.#watchers) {
      for (const ownerId of ownerIds) watcher.ownerIds.add(ownerId);
      watcher.wakeup.wake();
    }
  }

  /** Yields accounts that have new events; the first batch is empty: what is recorded from then on is reported. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly string[]> {
    const watcher: Watcher = { wakeup: new Wakeup(), ownerIds: new Set() };
    const wake = () => watcher.wakeup.wake();
    signal.addEventListener('abort', wake, { once: true });
    this.#watchers.add(watcher);
    try {
      if (this.#position === undefined) {
        const last = await this.#events.lastPosition();
        // Another watcher may have begun in between: it has not heard of what is behind its position.
        this.#position ??= last;
      }
      yield [];
      const untilMs = performance.now() + WATCH_MS;
      for (;;) {
        const leftMs = untilMs - performance.now();
        if (signal.aborted || this.#isClosed || leftMs <= 0) return;
        await watcher.wakeup.woken(leftMs);
        const ownerIds = [...watcher.ownerIds];
        watcher.ownerIds.clear();
        if (ownerIds.length > 0) yield ownerIds;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.#watchers.delete(watcher);
    }
  }

  /** Ends all watches, so that the process can stop. */
  close(): void {
    this.#isClosed = true;
    for (const { wakeup } of this.#watchers) wakeup.wake();
  }
}
