import type { NodeConfig } from '@catchment/contracts/nodes';
import type { TransportName } from '@catchment/contracts/transports';
import type { DeletedNode, NodeWatcher } from '@catchment/node-replica';
import { LRUCache } from 'lru-cache';
import type { Nodes, PushSource } from './ports.ts';

const MAX_KEYS = 10_000;
/** A source is asked for again after this: an account that was disabled, say, changes no node. */
const KNOWN_MS = 60_000;
/** A key is remembered as unknown so long: a source that is created a moment later is found soon. */
const UNKNOWN_MS = 3_000;

/**
 * Finds the source of a push key or a station (docs/reference/acquisition.md#transports): asked of nodes, held in
 * memory, and forgotten as soon as the source changes.
 */
export class PushSources implements NodeWatcher {
  readonly #nodes: Pick<Nodes, 'pushSource'>;
  readonly #known: LRUCache<string, { readonly found: PushSource | undefined }>;
  /** Keys by source. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #asked = new Map<string, Promise<PushSource | undefined>>();
  /** Grows with every change: what was asked before it may be outdated. */
  #changes = 0;

  constructor(nodes: Pick<Nodes, 'pushSource'>, max = MAX_KEYS, now: () => number = Date.now) {
    this.#nodes = nodes;
    this.#known = new LRUCache({
      max,
      perf: { now },
      ttl: KNOWN_MS,
      ttlResolution: 0,
      dispose: ({ found }, id) => this.#unlink(found, id),
    });
  }

  /**
   * @returns undefined: no source that may take data has this key
   * @throws DomainError unavailable
   */
  async find(transport: TransportName, key: string): Promise<PushSource | undefined> {
    const id = `${transport} ${key}`;
    const known = this.#known.get(id);
    if (known) return known.found;
    const asked = this.#asked.get(id) ?? this.#ask(id, transport, key);
    this.#asked.set(id, asked);
    return asked;
  }

  learn({ nodeId, source }: NodeConfig): void {
    if (source) this.#forgetSource(nodeId);
  }

  forget({ nodeId }: DeletedNode): void {
    this.#forgetSource(nodeId);
  }

  clear(): void {
    this.#changes += 1;
    this.#known.clear();
  }

  async #ask(id: string, transport: TransportName, key: string): Promise<PushSource | undefined> {
    const changes = this.#changes;
    try {
      const found = await this.#nodes.pushSource(transport, key);
      if (changes === this.#changes) this.#keep(id, found);
      return found;
    } finally {
      this.#asked.delete(id);
    }
  }

  #keep(id: string, found: PushSource | undefined): void {
    this.#known.set(id, { found }, found ? {} : { ttl: UNKNOWN_MS });
    if (!found) return;
    const { nodeId } = found.source;
    const keys = this.#keys.get(nodeId) ?? new Set();
    this.#keys.set(nodeId, keys.add(id));
  }

  #forgetSource(nodeId: string): void {
    this.#changes += 1;
    for (const id of [...(this.#keys.get(nodeId) ?? [])]) this.#known.delete(id);
  }

  #unlink(found: PushSource | undefined, id: string): void {
    if (!found) return;
    const keys = this.#keys.get(found.source.nodeId);
    keys?.delete(id);
    if (keys?.size === 0) this.#keys.delete(found.source.nodeId);
  }
}
