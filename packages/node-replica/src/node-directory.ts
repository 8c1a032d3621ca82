import { checkWorkspace, type Scope } from '@catchment/access';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { naming, notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import { LRUCache } from 'lru-cache';
import { NodeReplica, type NodeReplicaOptions } from './node-replica.ts';
import { readCustomIds } from './node-table.ts';

/** On whose behalf nodes are looked up: what the answer is narrowed to, and the signed context to ask nodes with. */
export type Requester = { readonly scope: Scope; readonly isService: boolean; readonly token: string };

/** A replica of whole configurations that resolves references (24 hex or `@customId`) on a caller's behalf. */
export class NodeDirectory extends NodeReplica<NodeConfig> {
  readonly #idsByCustomId: LRUCache<string, string>;

  constructor(options: Omit<NodeReplicaOptions<NodeConfig>, 'view'>) {
    super({ ...options, view: (node) => node });
    this.#idsByCustomId = new LRUCache({ max: options.max, ttl: options.keepMs ?? 0 });
  }

  /** @throws DomainError not_found: unknown or of another account; permission_denied: outside the caller's workspaces */
  async resolve(nodeRef: string, requester: Requester): Promise<NodeConfig> {
    const remembered = requester.scope.closedTo ? undefined : this.#remembered(nodeRef, requester.scope.ownerId);
    const node = remembered ?? (await this.#look([nodeRef], requester, false)).get(nodeRef);
    return checked(node, requester);
  }

  /**
   * Nodes in the order of their references; what is not known here is asked for at once.
   * @throws DomainError as `resolve`; not_found repeats the reference
   */
  async resolveAll(nodeRefs: readonly string[], requester: Requester): Promise<NodeConfig[]> {
    const nodes = await this.#look([...new Set(nodeRefs)], requester, true);
    return nodeRefs.map((nodeRef) => naming(nodeRef, () => checked(nodes.get(nodeRef), requester)));
  }

  /** A node of the account that this service already knows; nobody is asked. */
  async findKnown(nodeRef: string, ownerId: string): Promise<NodeConfig | undefined> {
    const node = (await this.#known([nodeRef], ownerId)).get(nodeRef);
    return node === 'deleted' ? undefined : node;
  }

  override learn(node: NodeConfig): void {
    super.learn(node);
    if (node.customId) this.#idsByCustomId.set(customKey(node.ownerId, node.customId), node.nodeId);
  }

  override clear(): void {
    super.clear();
    this.#idsByCustomId.clear();
  }

  /** By reference. What is known to be gone is asked for only together with others: nodes names the first of them. */
  async #look(
    nodeRefs: readonly string[],
    { scope, isService, token }: Requester,
    namesMissing: boolean,
  ): Promise<Map<string, NodeConfig | 'deleted'>> {
    // Only nodes knows what is closed to a workspace user (docs/reference/people-and-security.md#effective-permissions).
    const nodes = scope.closedTo ? new Map() : await this.#known(nodeRefs, scope.ownerId);
    if (nodeRefs.every((nodeRef) => nodes.has(nodeRef))) return nodes;
    const missing = nodeRefs.filter((nodeRef) => (nodes.get(nodeRef) ?? 'deleted') === 'deleted');
    const ownerId = isService ? scope.ownerId : '';
    const answer = await this.options.nodes.resolveNodes({ nodeRefs: missing, ownerId, namesMissing }, { token });
    await this.keep(answer.nodes);
    for (const [n, nodeRef] of missing.entries()) {
      const node = answer.nodes[n];
      if (node?.ownerId === scope.ownerId && this.recall(node.nodeId) !== 'deleted') nodes.set(nodeRef, node);
    }
    return nodes;
  }

  /** Out of memory and the table, by reference. */
  async #known(nodeRefs: readonly string[], ownerId: string): Promise<Map<string, NodeConfig | 'deleted'>> {
    const unknown = nodeRefs.filter((nodeRef) => !this.#remembered(nodeRef, ownerId));
    if (unknown.length > 0) await this.#load(unknown, ownerId);
    return new Map(
      nodeRefs.flatMap((nodeRef) => {
        const node = this.#remembered(nodeRef, ownerId);
        return node ? [[nodeRef, node]] : [];
      }),
    );
  }

  async #load(nodeRefs: readonly string[], ownerId: string): Promise<void> {
    const refs = nodeRefs.map(parseNodeRef);
    const ids = refs.flatMap((ref) => (ref?.kind === 'id' ? [ref.id] : []));
    const customIds = refs.flatMap((ref) => (ref?.kind === 'customId' ? [ref.customId] : []));
    if (ids.length > 0) await this.read(ids);
    if (customIds.length > 0)
      for (const node of await readCustomIds(this.options.database, ownerId, customIds)) this.learn(node);
  }

  #remembered(nodeRef: string, ownerId: string): NodeConfig | 'deleted' | undefined {
    const ref = parseNodeRef(nodeRef);
    if (!ref) return 'deleted';
    if (ref.kind === 'id') {
      const node = this.recall(ref.id);
      return node === 'deleted' || !node || node.ownerId === ownerId ? node : 'deleted';
    }
    const nodeId = this.#idsByCustomId.get(customKey(ownerId, ref.customId));
    const node = nodeId === undefined ? undefined : this.recall(nodeId);
    // The customId may have moved to another node.
    return node !== 'deleted' && node?.customId === ref.customId ? node : undefined;
  }
}

function checked(node: NodeConfig | 'deleted' | undefined, { scope }: Requester): NodeConfig {
  if (!node || node === 'deleted') throw notFound();
  checkWorkspace(scope, node.workspaceId);
  return node;
}

const customKey = (ownerId: string, customId: string): string => `${ownerId} ${customId}`;
