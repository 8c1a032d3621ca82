import { checkWorkspace, type Scope } from '@catchment/access';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { naming, notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import { LRUCache } from 'lru-cache';
import { NodeReplica, type NodeReplicaOptions } from './node-replica.ts';
import { readCustomIds } from './node-table.ts';

/** Nodes are looked up for this caller: the answer is narrowed to the scope, and nodes is asked with the signed context. */
export type Requester = { readonly scope: Scope; readonly isService: boolean; readonly token: string };

/** Nodes by reference; `absent` ones are deleted, or another account's. */
type Found = Map<string, NodeConfig | 'absent'>;

/** Replicates whole configurations and resolves references (24 hex or `@customId`) on a caller's behalf. */
export class NodeDirectory extends NodeReplica<NodeConfig> {
  readonly #idsByCustomId: LRUCache<string, string>;

  constructor(options: Omit<NodeReplicaOptions<NodeConfig>, 'view'>) {
    super({ ...options, view: (node) => node });
    this.#idsByCustomId = new LRUCache({ max: options.max, ttl: options.keepMs ?? 0 });
  }

  /** @throws DomainError not_found: unknown or of another account; permission_denied: outside the caller's workspaces */
  async resolve(nodeRef: string, requester: Requester): Promise<NodeConfig> {
    const { ownerId, closedTo } = requester.scope;
    const remembered = closedTo ? undefined : this.#remembered(nodeRef, ownerId);
    return checked(remembered ?? (await this.#lookUp([nodeRef], requester, false)).get(nodeRef), requester);
  }

  /**
   * Nodes in the order of their references; unknown ones are fetched in one call.
   * @throws DomainError as `resolve`; not_found repeats the reference
   */
  async resolveAll(nodeRefs: readonly string[], requester: Requester): Promise<NodeConfig[]> {
    const nodes = await this.#lookUp([...new Set(nodeRefs)], requester, true);
    return nodeRefs.map((nodeRef) => naming(nodeRef, () => checked(nodes.get(nodeRef), requester)));
  }

  /** Finds a node of the account that this service already knows; it makes no call. */
  async findKnown(nodeRef: string, ownerId: string): Promise<NodeConfig | undefined> {
    const node = (await this.#known([nodeRef], ownerId)).get(nodeRef);
    return node === 'absent' ? undefined : node;
  }

  override learn(node: NodeConfig): void {
    super.learn(node);
    if (node.customId) this.#idsByCustomId.set(customKey(node.ownerId, node.customId), node.nodeId);
  }

  /** Nodes known to be absent are fetched only together with others: the error of the nodes service names the first missing one. */
  async #lookUp(
    nodeRefs: readonly string[],
    { scope, isService, token }: Requester,
    namesMissing: boolean,
  ): Promise<Found> {
    // The nodes service alone knows which nodes are closed to a workspace user
    // (docs/reference/people-and-security.md#effective-permissions).
    const found: Found = scope.closedTo ? new Map() : await this.#known(nodeRefs, scope.ownerId);
    if (nodeRefs.every((nodeRef) => found.has(nodeRef))) return found;
    const missing = nodeRefs.filter((nodeRef) => (found.get(nodeRef) ?? 'absent') === 'absent');
    const ownerId = isService ? scope.ownerId : '';
    const { nodes } = await this.options.nodes.resolveNodes({ nodeRefs: missing, ownerId, namesMissing }, { token });
    await this.keep(nodes);
    for (const [n, nodeRef] of missing.entries()) {
      const node = nodes[n];
      if (node?.ownerId === scope.ownerId && !this.isDeleted(node.nodeId)) found.set(nodeRef, node);
    }
    return found;
  }

  /** Finds nodes in memory and in the table. */
  async #known(nodeRefs: readonly string[], ownerId: string): Promise<Found> {
    const refs = nodeRefs.filter((nodeRef) => !this.#remembered(nodeRef, ownerId)).map(parseNodeRef);
    const ids = refs.flatMap((ref) => (ref?.kind === 'id' ? [ref.id] : []));
    const customIds = refs.flatMap((ref) => (ref?.kind === 'customId' ? [ref.customId] : []));
    if (ids.length > 0) await this.read(ids);
    if (customIds.length > 0)
      for (const node of await readCustomIds(this.options.database, ownerId, customIds)) this.learn(node);
    return new Map(
      nodeRefs.flatMap((nodeRef) => {
        const node = this.#remembered(nodeRef, ownerId);
        return node ? [[nodeRef, node]] : [];
      }),
    );
  }

  #remembered(nodeRef: string, ownerId: string): NodeConfig | 'absent' | undefined {
    const ref = parseNodeRef(nodeRef);
    if (!ref) return 'absent';
    const nodeId = ref.kind === 'id' ? ref.id : this.#idsByCustomId.get(customKey(ownerId, ref.customId));
    const node = nodeId === undefined ? undefined : this.peek(nodeId);
    if (nodeId === undefined || node === undefined) return undefined;
    // A node that `find` did not find may have come; a customId may have moved to another node.
    if (node === 'absent') return ref.kind === 'id' && this.isDeleted(nodeId) ? node : undefined;
    if (ref.kind === 'customId') return node.customId === ref.customId ? node : undefined;
    return node.ownerId === ownerId ? node : 'absent';
  }
}

function checked(node: NodeConfig | 'absent' | undefined, { scope }: Requester): NodeConfig {
  if (!node || node === 'absent') throw notFound();
  checkWorkspace(scope, node.workspaceId);
  return node;
}

const customKey = (ownerId: string, customId: string): string => `${ownerId} ${customId}`;
