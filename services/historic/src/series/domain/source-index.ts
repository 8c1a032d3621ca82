import type { NodeConfig } from '@catchment/contracts/nodes';
import { parseNodeRef } from '@catchment/ids';

/** Finds the parameters directly under one data source by what a document may call them (docs/reference/writing.md#data-source-writes). */
export class SourceIndex {
  readonly #byId = new Map<string, NodeConfig>();
  readonly #bySeries = new Map<string, NodeConfig>();
  readonly #byName = new Map<string, NodeConfig>();

  put(node: NodeConfig): void {
    const known = this.#byId.get(node.nodeId);
    if (known && known.revision > node.revision) return;
    this.remove(node.nodeId);
    this.#byId.set(node.nodeId, node);
    const seriesKey = node.series?.seriesKey;
    if (seriesKey) this.#bySeries.set(seriesKey, node);
    else this.#byName.set(node.name.toLowerCase(), node);
  }

  remove(nodeId: string): void {
    const known = this.#byId.get(nodeId);
    if (!known) return;
    this.#byId.delete(nodeId);
    for (const index of [this.#bySeries, this.#byName]) {
      for (const [key, node] of index) if (node.nodeId === nodeId) index.delete(key);
    }
  }

  all(): readonly NodeConfig[] {
    return [...this.#byId.values()];
  }

  /** Finds a node by the `id` of a header column. */
  byReference(id: string): NodeConfig | undefined {
    const direct = this.#byId.get(id);
    if (direct) return direct;
    for (const node of this.#byId.values()) if (refersTo(id, node)) return node;
    return undefined;
  }

  /** Returns the parameter that has this series key stored. */
  bySeries(key: string): NodeConfig | undefined {
    return this.#bySeries.get(key);
  }

  /** Returns the parameter without a series key that would adopt this one. */
  adopting(key: string): NodeConfig | undefined {
    return this.#byName.get(key.toLowerCase());
  }
}

/** Returns whether a header's `id` (24 hex or `@customId`) means this node. */
export function refersTo(id: string, node: NodeConfig): boolean {
  const ref = parseNodeRef(id);
  if (!ref) return false;
  return ref.kind === 'id' ? ref.id === node.nodeId : node.customId !== '' && ref.customId === node.customId;
}
