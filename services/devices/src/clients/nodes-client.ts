import { type NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { notFound } from '@catchment/errors';
import { type CallContext, type CallerSigner, createGrpcClient } from '@catchment/grpc';

export type NodesClient = {
  /** One node of the caller's account. @throws DomainError not_found | permission_denied | unavailable */
  resolve(nodeRef: string, call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>): Promise<NodeConfig>;
  /** The nodes of several customIds, by these; what the caller may not see is left out. */
  named(
    customIds: readonly string[],
    call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>,
  ): Promise<ReadonlyMap<string, string>>;
  /** The public document of a node, as the caller may see it. @throws as `resolve` */
  document(nodeRef: string, attr: string, call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>): Promise<unknown>;
  /** Parameters of a data source. */
  parametersOf(source: { sourceId: string; ownerId: string }, deadlineMs: number): Promise<readonly string[]>;
  /** Every node that is closed to the caller within open workspaces (docs/reference/people-and-security.md#effective-permissions). */
  closed(call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>): Promise<readonly string[]>;
  /** Sources that name a device, over all accounts. */
  deviceSources(): Promise<AsyncIterable<NodeConfig>>;
  close(): void;
};

const LIST_TIMEOUT_MS = 120_000;

export function nodesClient(address: string, signer: CallerSigner): NodesClient {
  const client = createGrpcClient(NodesServiceService, address);
  const security = createGrpcClient(SecurityServiceService, address);
  return {
    resolve: async (nodeRef, { token, deadlineMs, signal }) => {
      const { nodes } = await client.resolveNodes({ nodeRefs: [nodeRef], ownerId: '' }, { token, deadlineMs, signal });
      const [node] = nodes;
      if (!node) throw notFound();
      return node;
    },
    named: async (customIds, { token, deadlineMs, signal }) => {
      if (customIds.length === 0) return new Map();
      const nodeRefs = customIds.map((customId) => `@${customId}`);
      const asked = { nodeRefs, ownerId: '', skipsMissing: true };
      const { nodes } = await client.resolveNodes(asked, { token, deadlineMs, signal });
      return new Map(nodes.map(({ customId, nodeId }) => [customId, nodeId]));
    },
    document: async (nodeRef, attr, { token, deadlineMs, signal }) => {
      const { json } = await client.getNode({ nodeRef, attr, expiry: 0 }, { token, deadlineMs, signal });
      return JSON.parse(json.toString()) as unknown;
    },
    parametersOf: async (source, deadlineMs) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      return (await client.getSource(source, { token, deadlineMs })).parameters.map(({ nodeId }) => nodeId);
    },
    closed: async ({ token, deadlineMs, signal }) => {
      const ids: string[] = [];
      for await (const { nodeIds } of security.listClosedNodes({}, { token, deadlineMs, signal })) ids.push(...nodeIds);
      return ids;
    },
    deviceSources: async () => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      return client.listDeviceSources({}, { token, timeoutMs: LIST_TIMEOUT_MS });
    },
    close: () => {
      client.close();
      security.close();
    },
  };
}
