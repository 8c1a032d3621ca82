import { type NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { type CallerSigner, createGrpcClient } from '@catchment/grpc';
import { type NodeCall, type VisibleNodes, visibleNodes } from '@catchment/node-replica';

export type NodesClient = VisibleNodes & {
  /** The public document of a node, as the caller may see it. @throws as `resolve` */
  document(nodeRef: string, attr: string, call: NodeCall): Promise<unknown>;
  /** Parameters of a data source. */
  parametersOf(source: { sourceId: string; ownerId: string }, deadlineMs: number): Promise<readonly string[]>;
  /** Sources that name a device, over all accounts. */
  deviceSources(): Promise<AsyncIterable<NodeConfig>>;
  close(): void;
};

const LIST_TIMEOUT_MS = 120_000;

export function nodesClient(address: string, signer: CallerSigner): NodesClient {
  const client = createGrpcClient(NodesServiceService, address);
  const security = createGrpcClient(SecurityServiceService, address);
  return {
    ...visibleNodes(client, security),
    document: async (nodeRef, attr, { token, deadlineMs, signal }) => {
      const { json } = await client.getNode({ nodeRef, attr, expiry: 0 }, { token, deadlineMs, signal });
      return JSON.parse(json.toString()) as unknown;
    },
    parametersOf: async (source, deadlineMs) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      return (await client.getSource(source, { token, deadlineMs })).parameters.map(({ nodeId }) => nodeId);
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
