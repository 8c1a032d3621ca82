import { type NodeConfig, NodesServiceService, type FileSource as SourceMessage } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { DomainError, unavailable } from '@catchment/errors';
import { type CallerSigner, createGrpcClient } from '@catchment/grpc';
import { type NodeCall, type VisibleNodes, visibleNodes } from '@catchment/node-replica';
import type { FileSource } from '../domain/source-file.ts';

export type NodesClient = VisibleNodes & {
  /** What decides how files of a source are read, and the class of the node. @throws DomainError not_found | permission_denied */
  fileSource(nodeRef: string, call: NodeCall): Promise<{ readonly class: string; readonly source: FileSource }>;
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
    fileSource: async (nodeRef, { token, deadlineMs, signal }) =>
      fileSourceOf(await client.getFileSource({ nodeRef }, { token, deadlineMs, signal }).catch(afterUpdate)),
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
