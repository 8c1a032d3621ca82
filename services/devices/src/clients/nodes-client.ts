import { NodesServiceService } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { type CallerSigner, createGrpcClient } from '@catchment/grpc';
import { visibleNodes } from '@catchment/node-replica';
import type { Nodes } from '../usecases/ports.ts';

const LIST_TIMEOUT_MS = 120_000;

export function nodesClient(address: string, signer: CallerSigner): Nodes & { close(): void } {
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
