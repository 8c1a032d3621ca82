import type { EnsureParametersRequest, NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import { DomainError, naming, notFound } from '@catchment/errors';
import { checkWorkspace, type GrpcClient, type Scope } from '@catchment/grpc';
import { type NodeRef, parseNodeRef } from '@catchment/ids';
import { LRUCache } from 'lru-cache';
import { isDataSource } from '../domain/series-node.ts';
import type { CatalogueStore } from '../usecases/ports.ts';
import { SourceIndex } from './source-index.ts';

const MAX_NODES = 50_000;
const MAX_SOURCES = 5_000;
const MAX_DELETED = 50_000;
/** Changes arrive by the bus at once; this bounds what a replica can miss while its connection is down. */
const KEEP_MS = 30_000;
const MAX_CHILDREN = 1_000;

export type NodesClient = Pick<
  GrpcClient<typeof NodesServiceService>,
  'resolveNodes' | 'getSource' | 'ensureParameters'
>;

/** Who asks: the account and workspaces that the answer is narrowed to, and the signed context to ask nodes with. */
export type Asker = { readonly scope: Scope; readonly isService: boolean; readonly token: string };

/**
 * What historic knows of nodes: memory, then its own table, then the nodes service
 * (docs/reference/guarantees.md#when-changes-take-effect). Memory follows the bus: `learn` and `forget` are called for every
 * change that passes, at every replica.
 */
export class Catalogue {
  readonly #store: CatalogueStore;
  readonly #nodesClient: NodesClient;
  readonly #nodes = new LRUCache<string, NodeConfig>({ max: MAX_NODES, ttl: KEEP_MS });
  readonly #idsByCustomId = new LRUCache<string, string>({ max: MAX_NODES, ttl: KEEP_MS });
  readonly #sources = new LRUCache<string, SourceIndex>({ max: MAX_SOURCES, ttl: KEEP_MS });
  /** Ids are never used again, so a deleted node stays deleted. */
  readonly #deleted = new LRUCache<string, true>({ max: MAX_DELETED });

  constructor(store: CatalogueStore, nodesClient: NodesClient) {
    this.#store = store;
    this.#nodesClient = nodesClient;
  }

  /**
   * The node of a reference (24 hex or `@customId`).
   * @throws DomainError not_found: unknown or of another account; permission_denied: outside the caller's workspaces
   */
  async resolve(nodeRef: string, asker: Asker): Promise<NodeConfig> {
    const ref = parseNodeRef(nodeRef);
    if (!ref) throw notFound();
    // Only nodes knows what is closed to a workspace user (docs/reference/people-and-security.md#effective-permissions).
    const known = asker.scope.closedTo ? undefined : await this.#known(ref, asker.scope.ownerId);
    const node = known ?? (await this.#ask(nodeRef, asker));
    if (node.ownerId !== asker.scope.ownerId || this.#deleted.has(node.nodeId)) throw notFound();
    checkWorkspace(asker.scope, node.workspaceId);
    return node;
  }

  /**
   * The nodes of several references as the caller has sent them, in their order; what is not known here is asked for at once.
   * @throws DomainError as `resolve`; not_found repeats the reference
   */
  async resolveAll(nodeRefs: readonly string[], asker: Asker): Promise<NodeConfig[]> {
    const refs = [...new Set(nodeRefs)];
    // What is gone, too, is refused in its turn: the first such reference is named.
    const look = (nodeRef: string) => this.#ownKnown(nodeRef, asker).catch(unlessNotFound);
    const known = asker.scope.closedTo ? [] : await Promise.all(refs.map(look));
    const nodes = new Map(known.flatMap((node, n) => (node ? [[refs[n] ?? '', node] as const] : [])));
    const missing = refs.filter((nodeRef) => !nodes.has(nodeRef));
    if (missing.length > 0) {
      const ownerId = asker.isService ? asker.scope.ownerId : '';
      const answer = await this.#nodesClient.resolveNodes(
        { nodeRefs: missing, ownerId, namesMissing: true },
        { token: asker.token },
      );
      await this.#keep(answer.nodes);
      for (const [n, nodeRef] of missing.entries()) {
        const node = answer.nodes[n];
        if (node?.ownerId === asker.scope.ownerId && !this.#deleted.has(node.nodeId)) nodes.set(nodeRef, node);
      }
    }
    return nodeRefs.map((nodeRef) =>
      naming(nodeRef, () => {
        const node = nodes.get(nodeRef);
        if (!node) throw notFound();
        checkWorkspace(asker.scope, node.workspaceId);
        return node;
      }),
    );
  }

  /** That the caller may see nodes which the request does not name itself. @throws DomainError not_found */
  async checkVisible(nodeIds: readonly string[], asker: Asker): Promise<void> {
    const { nodes } = await this.#nodesClient.resolveNodes(
      { nodeRefs: [...nodeIds], ownerId: '', skipsMissing: true },
      { token: asker.token },
    );
    if (nodes.length < nodeIds.length) throw notFound();
  }

  /** A node of the account that this service already knows; nobody is asked. */
  async peek(nodeRef: string, ownerId: string): Promise<NodeConfig | undefined> {
    const ref = parseNodeRef(nodeRef);
    const node = ref && (await this.#known(ref, ownerId).catch(unlessNotFound));
    return node?.ownerId === ownerId ? node : undefined;
  }

  /** The parameters of a data source; one that is missing here is found or made by `ensure`. */
  async parametersOf(source: NodeConfig): Promise<SourceIndex> {
    const cached = this.#sources.get(source.nodeId);
    if (cached) return cached;
    const stored = await this.#store.childrenOf(source.nodeId, MAX_CHILDREN);
    const index = new SourceIndex([]);
    for (const node of stored) {
      if (!node.series || node.parentId !== source.nodeId || this.#deleted.has(node.nodeId)) continue;
      // What the bus told meanwhile is newer than what the table had.
      const heard = this.#nodes.peek(node.nodeId);
      index.put(heard && heard.revision > node.revision ? heard : node);
    }
    this.#sources.set(source.nodeId, index);
    return index;
  }

  /** The parameters of a data source as nodes knows them now: one made a moment ago may not have been heard of yet. */
  async refreshParameters(source: NodeConfig, { scope, isService, token }: Asker): Promise<SourceIndex> {
    const ownerId = isService ? scope.ownerId : '';
    const { parameters } = await this.#nodesClient.getSource({ sourceId: source.nodeId, ownerId }, { token });
    await this.#keep(parameters);
    const index = await this.parametersOf(source);
    for (const node of parameters) if (node.series && !this.#deleted.has(node.nodeId)) index.put(node);
    return index;
  }

  /** Finds, adopts or creates parameters, in the order asked (docs/reference/writing.md#data-source-writes, rules 2-6). */
  async ensure(
    source: NodeConfig,
    columns: EnsureParametersRequest['columns'],
    asker: Asker,
    deadlineMs: number,
  ): Promise<NodeConfig[]> {
    const ownerId = asker.isService ? asker.scope.ownerId : '';
    const { parameters } = await this.#nodesClient.ensureParameters(
      { sourceId: source.nodeId, ownerId, columns },
      // The account's creations wait for one another there: all of the time that is left.
      { token: asker.token, deadlineMs, timeoutMs: Math.max(1, deadlineMs - Date.now()) },
    );
    await this.#keep(parameters);
    return parameters;
  }

  /** A node as it is now; older news are ignored. */
  learn(node: NodeConfig): void {
    if (this.#deleted.has(node.nodeId)) return;
    const known = this.#nodes.peek(node.nodeId);
    if (known && known.revision > node.revision) return;
    this.#nodes.set(node.nodeId, node);
    if (node.customId) this.#idsByCustomId.set(customKey(node.ownerId, node.customId), node.nodeId);
    if (known && known.sourceId !== node.sourceId) this.#sources.get(known.sourceId)?.remove(node.nodeId);
    if (node.series && node.parentId === node.sourceId) this.#sources.get(node.sourceId)?.put(node);
  }

  forget(nodeId: string, sourceId: string): void {
    this.#deleted.set(nodeId, true);
    this.#nodes.delete(nodeId);
    this.#sources.delete(nodeId);
    this.#sources.get(sourceId)?.remove(nodeId);
  }

  /** After a gap in what the bus told. */
  clear(): void {
    this.#nodes.clear();
    this.#idsByCustomId.clear();
    this.#sources.clear();
  }

  /** @throws DomainError not_found for a deleted node, or one of another account */
  async #ownKnown(nodeRef: string, { scope }: Asker): Promise<NodeConfig | undefined> {
    const ref = parseNodeRef(nodeRef);
    const node = ref && (await this.#known(ref, scope.ownerId));
    if (!ref || (node && node.ownerId !== scope.ownerId)) throw notFound();
    return node;
  }

  async #known(ref: NodeRef, ownerId: string): Promise<NodeConfig | undefined> {
    if (ref.kind === 'id') {
      if (this.#deleted.has(ref.id)) throw notFound();
      return this.#nodes.get(ref.id) ?? this.#load(await this.#store.byId(ref.id));
    }
    const id = this.#idsByCustomId.get(customKey(ownerId, ref.customId));
    const cached = id === undefined ? undefined : this.#nodes.get(id);
    if (cached?.customId === ref.customId) return cached;
    const stored = this.#load(await this.#store.byCustomId(ownerId, ref.customId));
    return stored?.customId === ref.customId ? stored : undefined;
  }

  #load(stored: NodeConfig | 'deleted' | undefined): NodeConfig | undefined {
    if (stored === 'deleted') throw notFound();
    if (!stored) return undefined;
    this.learn(stored);
    return this.#nodes.get(stored.nodeId) ?? stored;
  }

  async #ask(nodeRef: string, { scope, isService, token }: Asker): Promise<NodeConfig> {
    const ownerId = isService ? scope.ownerId : '';
    const { nodes } = await this.#nodesClient.resolveNodes({ nodeRefs: [nodeRef], ownerId }, { token });
    const [node] = nodes;
    if (!node) throw notFound();
    if (isDataSource(node)) {
      const { parameters } = await this.#nodesClient.getSource({ sourceId: node.nodeId, ownerId }, { token });
      await this.#keep([node, ...parameters]);
    } else await this.#keep([node]);
    return node;
  }

  async #keep(nodes: readonly NodeConfig[]): Promise<void> {
    await this.#store.save(nodes);
    for (const node of nodes) this.learn(node);
  }
}

function unlessNotFound(error: unknown): undefined {
  if (error instanceof DomainError && error.kind === 'not_found') return undefined;
  throw error;
}

const customKey = (ownerId: string, customId: string): string => `${ownerId} ${customId}`;
