import type { NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { Queryable } from '@catchment/pg';
import { LRUCache } from 'lru-cache';
import { type DeletedNode, readNodes, saveNodes } from './node-table.ts';

/** What is told of every change that passes (`watchNodes`). */
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
  /** The name under which this service asks. */
  readonly service: string;
  /** What is kept of a node in memory. */
  readonly view: (node: NodeConfig) => T;
  /** Nodes in memory at most. */
  readonly max: number;
  /** How long a node is believed without looking again; without it as long as there is room. */
  readonly keepMs?: number;
};

type Known<T> = { readonly revision: number; readonly view: T };

const REFERENCES_PER_CALL = 200;
const MAX_DELETED = 50_000;
/** A node that does not exist is asked for again after this time: its creation may be on the way. */
const ABSENT_MS = 10_000;

/**
 * A service's copy of the configuration of nodes: memory, then the table, then the nodes service
 * (docs/reference/guarantees.md#when-changes-take-effect). Memory follows the bus, see `watchNodes`; the table, see
 * `followNodes`. A newer revision is never replaced by an older one, and a deleted node is never revived: ids are not used again.
 */
export class NodeReplica<T> implements NodeWatcher {
  protected readonly options: NodeReplicaOptions<T>;
  readonly #known: LRUCache<string, Known<T>>;
  readonly #absent: LRUCache<string, true>;
  readonly #deleted = new LRUCache<string, true>({ max: MAX_DELETED });

  constructor(options: NodeReplicaOptions<T>) {
    this.options = options;
    this.#known = new LRUCache({ max: options.max, ttl: options.keepMs ?? 0 });
    this.#absent = new LRUCache({ max: options.max, ttl: ABSENT_MS });
  }

  /** What memory has of a node; undefined: nothing, `find` may. */
  peek(nodeId: string): T | 'absent' | undefined {
    const known = this.recall(nodeId);
    return known === 'deleted' || (known === undefined && this.#absent.has(nodeId)) ? 'absent' : known;
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
    const stored = await this.read(asked.map(({ nodeId }) => nodeId));
    const answered = await this.#ask(
      asked.filter(({ nodeId }) => !stored.has(nodeId)),
      signal,
    );
    await this.keep(answered);
    for (const node of answered) stored.set(node.nodeId, node);
    const found = new Map<string, NodeConfig>();
    for (const { nodeId, ownerId } of asked) {
      const node = stored.get(nodeId);
      if (node && node !== 'deleted' && node.ownerId === ownerId) found.set(nodeId, node);
      else this.#absent.set(nodeId, true);
    }
    return found;
  }

  /** Takes over what the nodes service has answered. */
  async keep(nodes: readonly NodeConfig[]): Promise<void> {
    await saveNodes(this.options.database, nodes);
    for (const node of nodes) this.learn(node);
  }

  learn(node: NodeConfig): void {
    if (this.#deleted.has(node.nodeId)) return;
    const known = this.#known.peek(node.nodeId);
    if (known && known.revision >= node.revision) return;
    this.#known.set(node.nodeId, { revision: node.revision, view: this.options.view(node) });
    this.#absent.delete(node.nodeId);
  }

  forget({ nodeId }: DeletedNode): void {
    this.#deleted.set(nodeId, true);
    this.#known.delete(nodeId);
  }

  clear(): void {
    this.#known.clear();
    this.#absent.clear();
  }

  /** What memory has of a node. */
  protected recall(nodeId: string): T | 'deleted' | undefined {
    return this.#deleted.has(nodeId) ? 'deleted' : this.#known.get(nodeId)?.view;
  }

  /** Reads nodes out of the table into memory. @returns what the table has */
  protected async read(nodeIds: readonly string[]): Promise<Map<string, NodeConfig | 'deleted'>> {
    const stored = await readNodes(this.options.database, nodeIds);
    for (const [nodeId, node] of stored) {
      if (node === 'deleted') this.#deleted.set(nodeId, true);
      else this.learn(node);
    }
    return stored;
  }

  async #ask(nodes: readonly Pick<NodeConfig, 'nodeId' | 'ownerId'>[], signal: AbortSignal): Promise<NodeConfig[]> {
    const found: NodeConfig[] = [];
    for (const [ownerId, ofOwner] of Map.groupBy(nodes, (node) => node.ownerId)) {
      for (let from = 0; from < ofOwner.length; from += REFERENCES_PER_CALL) {
        const nodeRefs = ofOwner.slice(from, from + REFERENCES_PER_CALL).map(({ nodeId }) => nodeId);
        const token = await this.options.signer.sign({ kind: 'service', service: this.options.service });
        const answer = await this.options.nodes.resolveNodes(
          { nodeRefs, ownerId, skipsMissing: true },
          { token, signal },
        );
        found.push(...answer.nodes);
      }
    }
    return found;
  }
}
