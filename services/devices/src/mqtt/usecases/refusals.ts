import type { NodeConfig } from '@catchment/contracts/nodes';
import type { Logger } from '@catchment/telemetry';
import { LRUCache } from 'lru-cache';
import { eventSource, type SourceEvent } from '../../sources/index.ts';
import type { Store } from './ports.ts';

type RefusalDeps = {
  readonly store: Pick<Store, 'transaction'>;
  readonly log: Logger;
  readonly now: () => number;
};

const SOURCES = 10_000;
/** A source gets at most one event in this time. */
const QUIET_MS = 60_000;

/** Reports to the people of a source why something of it was refused. */
export class Refusals {
  readonly #deps: RefusalDeps;
  readonly #reported = new LRUCache<string, number>({ max: SOURCES });
  readonly #recording = new Set<Promise<void>>();

  constructor(deps: RefusalDeps) {
    this.#deps = deps;
  }

  report(source: NodeConfig, message: string): void {
    const { log, now } = this.#deps;
    const timeMs = now();
    if (timeMs - (this.#reported.get(source.nodeId) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    this.#reported.set(source.nodeId, timeMs);
    log.info({ sourceId: source.nodeId, reason: message }, 'MQTT refusal');
    this.record([{ source: eventSource(source), level: 'WARNING', message, timeMs }]);
  }

  /** Events are best effort: what was refused or stored is so without its event. */
  record(events: readonly SourceEvent[]): void {
    if (events.length === 0) return;
    const { store, log } = this.#deps;
    const recording = store
      .transaction((tx) => tx.recordEvents(events))
      .catch((err: unknown) => log.warn({ err }, 'events of MQTT messages could not be recorded'))
      .finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
  }

  /** Resolves when all that was reported is recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#recording);
  }
}
