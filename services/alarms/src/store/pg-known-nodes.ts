import { NodeReplica, type NodeReplicaOptions } from '@catchment/node-replica';
import { LRUCache } from 'lru-cache';
import { type SeriesKind, seriesKind, toNode } from '../domain/node.ts';
import type { KnownNodes } from '../usecases/ports.ts';

/** Another replica may have reset a series; after this time its state is looked at again. */
const SETTLED_MS = 300_000;

/** Only the kind of a node is remembered. The rules of a series are read where it is locked. */
type Known = { readonly kind: SeriesKind };

export class PgKnownNodes extends NodeReplica<Known> implements KnownNodes {
  /** The key is what is known of a node, so that a change of the node invalidates it. */
  readonly #settled: LRUCache<Known, true>;

  constructor(options: Pick<NodeReplicaOptions<Known>, 'database' | 'nodes' | 'signer' | 'max'>) {
    super({ ...options, service: 'alarms', view: (config) => ({ kind: seriesKind(toNode(config)) }) });
    this.#settled = new LRUCache({ max: options.max, ttl: SETTLED_MS });
  }

  kind(nodeId: string): SeriesKind | 'absent' | undefined {
    const known = this.peek(nodeId);
    return known === 'absent' ? known : known?.kind;
  }

  isSettled(nodeId: string): boolean {
    const known = this.#known(nodeId);
    return known !== undefined && this.#settled.has(known);
  }

  settle(nodeId: string): void {
    const known = this.#known(nodeId);
    if (known) this.#settled.set(known, true);
  }

  unsettle(nodeId: string): void {
    const known = this.#known(nodeId);
    if (known) this.#settled.delete(known);
  }

  async load(nodes: readonly { nodeId: string; ownerId: string }[], signal: AbortSignal): Promise<void> {
    const found = [...(await this.find(nodes, signal)).values()];
    // States are evaluated by whether the source is enabled, so sources are made known too.
    const sources = found
      .filter((node) => seriesKind(toNode(node)) === 'evaluated' && this.peek(node.sourceId) === undefined)
      .map(({ sourceId, ownerId }) => ({ nodeId: sourceId, ownerId }));
    if (sources.length > 0) await this.find(sources, signal);
  }

  #known(nodeId: string): Known | undefined {
    const known = this.peek(nodeId);
    return known === 'absent' ? undefined : known;
  }
}
