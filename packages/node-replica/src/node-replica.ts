import type { NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { Queryable } from '@catchment/pg';
import { LRUCache } from 'lru-cache';
import { type DeletedNode, readNodes, saveNodes } from './node-table.ts';

/** Receives every change of a node (`watchNodes`). */
export type NodeWatcher = {
  learn(node: NodeConfig): void;
  forget(node: DeletedNode): void;
  /** Messages may have been missed. */
  clear(): void;
};

export type NodeReplicaOptions<T> = {
  /** Holds the table `node_replica`. */
  readonly database: Queryable;
  readonly nodes: Pick<GrpcClient<typeof NodesServiceService>, 'resolveNodes'>;
  readonly signer: Pick<CallerSigner, 'sign'>;
  /** Its calls name this service. */
  readonly service: string;
  /** Returns the part of a node that is kept in memory. */
  readonly view: (node: NodeConfig) => T;
  /** Nodes in memory at most. */
  readonly max: number;
  /** Age after which a node is read again; absent = as long as there is room. */
  readonly keepMs?: number;
};

/** A deleted node has a revision that nothing exceeds, an absent one has one that everything exceeds. */
type Known<T> = { readonly revision: number; readonly view: T | 'absent' };

const DELETED = { revision: Number.POSITIVE_INFINITY, view: 'absent' } as const;
const ABSENT = { revision: -1, view: 'absent' } as const;
/** A node that does not exist is looked up again after this time: its creation may be on the way. */
const ABSENT_MS = 10_000;
const REFERENCES_PER_CALL = 200;

/**
 * Keeps a service's copy of the configuration of nodes: memory, then the table, then the nodes service
 * (docs/reference/guarantees.md#when-changes-take-effect). Memory follows the bus, see `watchNodes`; the table, see
 * `followNodes`. A newer revision is never replaced by an older one, and a deleted node is never revived: ids are not used again.
 */
export class NodeReplica<T> implements NodeWatcher {
  protected readonly options: NodeReplicaOptions<T>;
  readonly #known: LRUCache<string, Known<T>>;

  constructor(options: NodeReplicaOptions<T>) {
    this.options = options;
    this.#known = new LRUCache({ max: options.max, ttl: options.keepMs ?? 0 });
  }

  /** Returns a node in memory; undefined: not there, `find` may have it. */
  peek(nodeId: string): T | 'absent' | undefined {
    return this.#known.get(nodeId)?.view;
  }

  /**
   * Nodes in the service's own name, out of the table or the nodes service, which makes them known to `peek` too.
   * @returns by id; nodes that do not exist, or not in the account that is named, are left out
   * @throws DomainError unavailable
   */
  async find(
    asked: readonly Pick<NodeConfig, 'nodeId' | 'ownerId'>[],
    signal: AbortSignal,
  ): Promise<Map<string, NodeConfig>> {
    const distinct = new Map(asked.map((node) => [node.nodeId, node]));
    const stored = await this.read([...distinct.keys()]);
    const missing = [...distinct.values()].filter(({ nodeId }) => !stored.has(nodeId));
    const { service, signer, nodes } = this.options;
    for (const [ownerId, ofOwner] of Map.groupBy(missing, (node) => node.ownerId)) {
      for (let from = 0; from < ofOwner.length; from += REFERENCES_PER_CALL) {
        const nodeRefs = ofOwner.slice(from, from + REFERENCES_PER_CALL).map(({ nodeId }) => nodeId);
        const token = await signer.sign({ kind: 'service', service });
        const answer = await nodes.resolveNodes({ nodeRefs, ownerId, skipsMissing: true }, { token, signal });
        await this.keep(answer.nodes);
        for (const node of answer.nodes) stored.set(node.nodeId, node);
      }
    }
    const found = new Map<string, NodeConfig>();
    for (const { nodeId, ownerId } of distinct.values()) {
      const node = stored.get(nodeId);
      if (node && node !== 'deleted' && node.ownerId === ownerId) found.set(nodeId, node);
      else if (!this.#known.has(nodeId)) this.#known.set(nodeId, ABSENT, { ttl: ABSENT_MS });
    }
    return found;
  }

  /** Takes over what the nodes service has answered. */
  async keep(nodes: readonly NodeConfig[]): Promise<void> {
    await saveNodes(this.options.database, nodes);
    for (const node of nodes) this.learn(node);
  }

  learn(node: NodeConfig): void {
    if ((this.#known.peek(node.nodeId) ?? ABSENT).revision >= node.revision) return;
    this.#known.set(node.nodeId, { revision: node.revision, view: this.options.view(node) });
  }

  forget({ nodeId }: DeletedNode): void {
    this.#known.set(nodeId, DELETED, { ttl: 0 });
  }

  clear(): void {
    this.#known.clear();
  }

  protected isDeleted(nodeId: string): boolean {
    return this.#known.peek(nodeId) === DELETED;
  }

  /** Reads nodes out of the table into memory. @returns what the table has */
  protected async read(nodeIds: readonly string[]): Promise<Map<string, NodeConfig | 'deleted'>> {
    const stored = await readNodes(this.options.database, nodeIds);
    for (const [nodeId, node] of stored) {
      if (node === 'deleted') this.forget({ nodeId, sourceId: nodeId });
      else this.learn(node);
    }
    return stored;
  }
}
