import { LRUCache } from 'lru-cache';
import { type Node, type SeriesKind, seriesKind } from '../domain/node.ts';
import type { AlarmStore, KnownNodes, StoredConfig } from '../usecases/ports.ts';

/** Asks the nodes service for configurations; nodes that do not exist are left out. */
export type AskNodes = (
  nodes: readonly { nodeId: string; ownerId: string }[],
  signal: AbortSignal,
) => Promise<readonly StoredConfig[]>;

type Known = { readonly kind: SeriesKind | 'absent'; readonly revision: number };

/** A node that does not exist is asked for again after this time: its creation may be on the way. */
const ABSENT_MS = 10_000;
/** Another replica may have reset a series; after this time its state is looked at again. */
const SETTLED_MS = 300_000;

/** The replica's memory of nodes: kinds only. What a series is evaluated by is read where it is locked. */
export class CachedNodes implements KnownNodes {
  readonly #store: AlarmStore;
  readonly #ask: AskNodes;
  readonly #known: LRUCache<string, Known>;
  readonly #settled: LRUCache<string, true>;

  constructor(options: { store: AlarmStore; ask: AskNodes; max: number }) {
    this.#store = options.store;
    this.#ask = options.ask;
    this.#known = new LRUCache({ max: options.max });
    this.#settled = new LRUCache({ max: options.max, ttl: SETTLED_MS });
  }

  kind(nodeId: string): SeriesKind | 'absent' | undefined {
    return this.#known.get(nodeId)?.kind;
  }

  isSettled(nodeId: string): boolean {
    return this.#settled.has(nodeId);
  }

  settle(nodeId: string): void {
    this.#settled.set(nodeId, true);
  }

  unsettle(nodeId: string): void {
    this.#settled.delete(nodeId);
  }

  /** A change that passes on the bus; older ones than what is known are ignored. */
  see(node: Node): void {
    const before = this.#known.get(node.nodeId);
    if (before && before.revision >= node.revision) return;
    this.#known.set(node.nodeId, { kind: seriesKind(node), revision: node.revision });
    this.#settled.delete(node.nodeId);
  }

  forget(nodeId: string): void {
    this.#known.set(nodeId, { kind: 'absent', revision: Number.POSITIVE_INFINITY });
    this.#settled.delete(nodeId);
  }

  /** Messages may have been missed. */
  clear(): void {
    this.#known.clear();
    this.#settled.clear();
  }

  async load(nodes: readonly { nodeId: string; ownerId: string }[], signal: AbortSignal): Promise<void> {
    const found = await this.#find(nodes, signal);
    // States are evaluated by whether the source is enabled, so sources are made known too.
    const sources = new Map<string, { nodeId: string; ownerId: string }>();
    for (const node of found) {
      const { sourceId, ownerId } = node;
      if (seriesKind(node) === 'states' && sourceId && !this.#known.has(sourceId))
        sources.set(sourceId, { nodeId: sourceId, ownerId });
    }
    if (sources.size > 0) await this.#find([...sources.values()], signal);
  }

  async #find(nodes: readonly { nodeId: string; ownerId: string }[], signal: AbortSignal): Promise<readonly Node[]> {
    const stored = await this.#store.readNodes(nodes.map((node) => node.nodeId));
    const missing = nodes.filter((node) => !stored.has(node.nodeId));
    if (missing.length > 0) {
      const asked = await this.#ask(missing, signal);
      if (asked.length > 0) await this.#store.transaction((tx) => tx.saveNodes(asked));
      for (const { node } of asked) stored.set(node.nodeId, node);
    }
    for (const { nodeId } of nodes) {
      const node = stored.get(nodeId);
      if (node) this.see(node);
      else if (stored.has(nodeId)) this.forget(nodeId);
      else if (!this.#known.has(nodeId)) this.#known.set(nodeId, { kind: 'absent', revision: -1 }, { ttl: ABSENT_MS });
    }
    return [...stored.values()].filter((node) => node !== undefined);
  }
}
