import { type NodeConfig, NodesServiceService, type FileSource as SourceMessage } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { DomainError, notFound, unavailable } from '@catchment/errors';
import { type CallContext, type CallerSigner, createGrpcClient } from '@catchment/grpc';
import type { FileSource } from '../domain/source-file.ts';

export type NodesClient = {
  /** One node of the caller's account. @throws DomainError not_found | permission_denied | unavailable */
  resolve(nodeRef: string, call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>): Promise<NodeConfig>;
  /** The nodes of several customIds, by these; what the caller may not see is left out. */
  named(
    customIds: readonly string[],
    call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>,
  ): Promise<ReadonlyMap<string, string>>;
  /** What decides how files of a source are read, and the class of the node. @throws as `resolve` */
  fileSource(
    nodeRef: string,
    call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>,
  ): Promise<{ readonly class: string; readonly source: FileSource }>;
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
    fileSource: async (nodeRef, { token, deadlineMs, signal }) =>
      fileSourceOf(await client.getFileSource({ nodeRef }, { token, deadlineMs, signal }).catch(afterUpdate)),
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
