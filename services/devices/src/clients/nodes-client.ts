import { NodesServiceService, type FileSource as SourceMessage } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { DomainError, unavailable } from '@catchment/errors';
import { type CallerSigner, createGrpcClient } from '@catchment/grpc';
import { visibleNodes } from '@catchment/node-replica';
import type { FileSource } from '../domain/source-file.ts';
import type { Nodes } from '../usecases/ports.ts';

const LIST_TIMEOUT_MS = 120_000;

export function nodesClient(address: string, signer: CallerSigner): Nodes & { close(): void } {
  const client = createGrpcClient(NodesServiceService, address);
  const security = createGrpcClient(SecurityServiceService, address);
  return {
    ...visibleNodes(client, security),
    fileSource: async (nodeRef, { token, deadlineMs, signal }) =>
      fileSourceOf(await client.getFileSource({ nodeRef }, { token, deadlineMs, signal }).catch(afterUpdate)),
    parametersOf: async (source, deadlineMs) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      return (await client.getSource(source, { token, deadlineMs })).parameters.map(({ nodeId }) => nodeId);
    },
    transports: async (ownerId, sourceIds) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      const request = { ownerId, sourceIds: [...sourceIds] };
      return (await client.getTransports(request, { token }).catch(afterUpdate)).transports;
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

/** The attributes have the names of the contract. */
const fileSourceOf = ({ sourceId, class: name, ...source }: SourceMessage) => ({
  class: name,
  source: { _id: sourceId, ...source } as FileSource,
});

/** Nodes of the version before cannot say it: the client tries again when the update is over. */
function afterUpdate(error: unknown): never {
  const isOlder = error instanceof DomainError && error.kind === 'unimplemented';
  throw isOlder ? unavailable('NODES_OLDER', { cause: error }) : error;
}
