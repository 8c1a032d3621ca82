import type { EnsureParametersRequest, NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { type DeletedNode, NodeDirectory, nodesOfSources, type Requester } from '@catchment/node-replica';
import { askedTogether, listsAskedTogether, type Queryable } from '@catchment/pg';
import { LRUCache } from 'lru-cache';
import { SourceIndex } from '../domain/source-index.ts';
import type { Catalogue } from '../usecases/ports.ts';

const MAX_NODES = 50_000;
const MAX_SOURCES = 10_000;
/** Changes arrive by the bus at once; this bounds what a replica can miss while its connection is down. */
const KEEP_MS = 30_000;
const MAX_CHILDREN = 1_000;
/** Thousands of sources that send at once are outdated at once. A batch of sources with all their parameters has 50 000 nodes. */
const SOURCES_AT_ONCE = 50;
const NODES_AT_ONCE = 1_000;

type CatalogueOptions = {
  readonly database: Queryable;
  readonly nodes: Pick<
    GrpcClient<typeof NodesServiceService>,
    'resolveNodes' | 'getSource' | 'ensureParameters' | 'listParametersBelow'
  >;
  readonly signer: Pick<CallerSigner, 'sign'>;
};

/** This service keeps a copy of nodes; missing nodes are fetched from the nodes service. */
export class NodeCatalogue extends NodeDirectory implements Catalogue {
  readonly #nodes: CatalogueOptions['nodes'];
  readonly #sources = new LRUCache<string, SourceIndex>({ max: MAX_SOURCES, ttl: KEEP_MS });
  readonly #readSource = askedTogether<NodeConfig, SourceIndex>((sources) => this.#readSources(sources), {
    batch: { items: SOURCES_AT_ONCE },
  });
  readonly #readNodes = listsAskedTogether<string, ReadonlyMap<string, NodeConfig | 'deleted'>>(
    (nodeIds) => super.read([...new Set(nodeIds)]),
    NODES_AT_ONCE,
  );

  constructor(options: CatalogueOptions) {
    super({ ...options, service: 'historic', max: MAX_NODES, keepMs: KEEP_MS });
    this.#nodes = options.nodes;
  }

  async checkVisible(nodeIds: readonly string[], { token }: Requester): Promise<void> {
    const { nodes } = await this.#nodes.resolveNodes(
      { nodeRefs: [...nodeIds], ownerId: '', skipsMissing: true },
      { token },
    );
    if (nodes.length < nodeIds.length) throw notFound();
  }

  async nodesOf(nodeIds: readonly string[], ownerId: string, deadlineMs: number): Promise<NodeConfig[]> {
    const known = nodeIds.map((nodeId) => this.peek(nodeId));
    const missing = nodeIds.filter((_, n) => known[n] === undefined).map((nodeId) => ({ nodeId, ownerId }));
    const found =
      missing.length === 0
        ? new Map<string, NodeConfig>()
        : await this.find(missing, AbortSignal.timeout(Math.max(1, deadlineMs - Date.now())));
    return nodeIds.flatMap((nodeId, n) => {
      const node = known[n] ?? found.get(nodeId);
      return node && node !== 'absent' && node.ownerId === ownerId ? [node] : [];
    });
  }

  async parametersBelow(nodeId: string, { scope, isService, token }: Requester, limit: number): Promise<NodeConfig[]> {
    const request = { nodeRef: nodeId, ownerId: isService ? scope.ownerId : '', limit };
    const { nodes } = await this.#nodes.listParametersBelow(request, { token });
    await this.keep(nodes);
    return nodes;
  }

  async parametersOf(source: NodeConfig): Promise<SourceIndex> {
    return this.#sources.get(source.nodeId) ?? this.#readSource(source);
  }

  async #readSources(sources: readonly NodeConfig[]): Promise<SourceIndex[]> {
    const stored = await nodesOfSources(this.options.database, distinctSources(sources), MAX_CHILDREN);
    const indexes = new Map(sources.map(({ nodeId }) => [nodeId, new SourceIndex()]));
    for (const [nodeId, index] of indexes) this.#sources.set(nodeId, index);
    for (const node of stored) this.learn(node);
    return sources.map(({ nodeId }) => indexes.get(nodeId) ?? new SourceIndex());
  }

  protected override async read(nodeIds: readonly string[]): Promise<Map<string, NodeConfig | 'deleted'>> {
    const stored = await this.#readNodes(nodeIds);
    return new Map(
      nodeIds.flatMap((nodeId) => {
        const node = stored.get(nodeId);
        return node ? [[nodeId, node]] : [];
      }),
    );
  }

  async refreshParameters(source: NodeConfig, { scope, isService, token }: Requester): Promise<SourceIndex> {
    const ownerId = isService ? scope.ownerId : '';
    const { parameters } = await this.#nodes.getSource({ sourceId: source.nodeId, ownerId }, { token });
    const index = await this.parametersOf(source);
    await this.keep(parameters);
    return index;
  }

  async ensure(
    source: NodeConfig,
    columns: EnsureParametersRequest['columns'],
    { scope, isService, token }: Requester,
    deadlineMs: number,
  ): Promise<NodeConfig[]> {
    const { parameters } = await this.#nodes.ensureParameters(
      { sourceId: source.nodeId, ownerId: isService ? scope.ownerId : '', columns },
      // The account's creations wait for one another there: all of the time that is left.
      { token, deadlineMs, timeoutMs: Math.max(1, deadlineMs - Date.now()) },
    );
    await this.keep(parameters);
    return parameters;
  }

  override learn(node: NodeConfig): void {
    const before = this.peek(node.nodeId);
    super.learn(node);
    // The memory may be newer than the row was.
    const known = this.peek(node.nodeId);
    if (!known || known === 'absent') return;
    if (before && before !== 'absent' && before.sourceId !== known.sourceId)
      this.#sources.get(before.sourceId)?.remove(node.nodeId);
    if (known.series && known.parentId === known.sourceId) this.#sources.get(known.sourceId)?.put(known);
  }

  override forget(node: DeletedNode): void {
    super.forget(node);
    this.#sources.delete(node.nodeId);
    this.#sources.get(node.sourceId)?.remove(node.nodeId);
  }

  override clear(): void {
    super.clear();
    this.#sources.clear();
  }
}

const distinctSources = (sources: readonly NodeConfig[]): NodeConfig[] => [
  ...new Map(sources.map((source) => [source.nodeId, source])).values(),
];
