import { NodesServiceService, type FileSource as SourceMessage } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { DomainError, notFound } from '@catchment/errors';
import type { CallerSigner, Peer } from '@catchment/grpc';
import { visibleNodes } from '@catchment/node-replica';
import type { FileSource } from '../domain/source-file.ts';
import type { Nodes } from '../usecases/ports.ts';

const LIST_TIMEOUT_MS = 120_000;
const ACQUISITION_TIMEOUT_MS = 10_000;

export function nodesClient(peer: Peer, signer: CallerSigner): Nodes {
  const client = peer.client(NodesServiceService);
  const security = peer.client(SecurityServiceService);
  return {
    ...visibleNodes(client, security),
    fileSource: async (nodeRef, { token, deadlineMs, signal }, parser) => {
      const parserJson = parser === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(parser));
      const options = { token, deadlineMs, signal };
      return fileSourceOf(await client.getFileSource({ nodeRef, parserJson }, options));
    },
    parametersOf: async (source, deadlineMs) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      return (await client.getSource(source, { token, deadlineMs })).parameters.map(({ nodeId }) => nodeId);
    },
    seriesOf: async ({ sourceId, ownerId }) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      const { parameters } = await client.getSource({ sourceId, ownerId }, { token });
      return parameters.flatMap(({ series, isActive }) =>
        series?.seriesKey ? [{ series: series.seriesKey, isActive }] : [],
      );
    },
    activate: async ({ sourceId, ownerId }, { active, inactive }) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      const request = { sourceId, ownerId, activeSeries: [...active], inactiveSeries: [...inactive] };
      await client.activateParameters(request, { token });
    },
    acquisition: async ({ ownerId, sourceId }) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      const answer = await client
        .getAcquisition({ ownerId, sourceId }, { token, timeoutMs: ACQUISITION_TIMEOUT_MS })
        .catch(noneFound);
      if (!answer?.source) return undefined;
      const { source, transport, files } = answer;
      const attributes = JSON.parse(answer.attributes || '{}') as Record<string, unknown>;
      return { source, transport, files: files && fileSourceOf(files).source, attributes };
    },
    pushSource: async (transport, key) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      const found = await client.findPushSource({ transport, key }, { token }).catch(noneFound);
      return found?.source && found.transport?.settings && { source: found.source, settings: found.transport.settings };
    },
    fileSettings: async (source) => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      const { source: node, files } = await client.getAcquisition(source, { token });
      if (!node) throw notFound();
      if (files) return { ...fileSourceOf(files).source, sourceClass: node.class };
      return { _id: node.nodeId, ownerId: node.ownerId, workspaceId: node.workspaceId, sourceClass: node.class };
    },
    deviceSources: async () => {
      const token = await signer.sign({ kind: 'service', service: 'devices' });
      return client.listDeviceSources({}, { token, timeoutMs: LIST_TIMEOUT_MS });
    },
  };
}

/** The attributes have the names of the contract. */
const fileSourceOf = ({ sourceId, class: name, ...source }: SourceMessage) => ({
  class: name,
  source: { _id: sourceId, sourceClass: name, ...source } as FileSource,
});

function noneFound(error: unknown): undefined {
  if (error instanceof DomainError && error.kind === 'not_found') return undefined;
  throw error;
}
