import { type NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import { type CallContext, type CallerSigner, createGrpcClient } from '@catchment/grpc';

export type NodesClient = {
  /** One node of the caller's account. @throws DomainError not_found | permission_denied | unavailable */
  resolve(nodeRef: string, call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>): Promise<NodeConfig>;
  /** Sources that name a device, over all accounts. */
  deviceSources(): Promise<AsyncIterable<NodeConfig>>;
  close(): void;
};

const LIST_TIMEOUT_MS = 120_000;

export function nodesClient(address: string, signer: CallerSigner): NodesClient {
  const client = createGrpcClient(NodesServiceService, address);
  return {
    resolve: async (nodeRef, { token, deadlineMs, signal }) => {
      const { nodes } = await client.resolveNodes({ nodeRefs: [nodeRef], ownerId: '' }, { token, deadlineMs, signal });
      const [node] = nodes;
      if (!node) throw notFound();
      return node;
    },
    deviceSources: async () => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      return client.listDeviceSources({}, { token, timeoutMs: LIST_TIMEOUT_MS });
    },
    close: () => client.close(),
  };
}
