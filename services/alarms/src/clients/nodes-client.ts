import { NodeConfig, type NodesServiceService } from '@catchment/contracts/nodes';
import { DomainError, notFound } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { toNode } from '../domain/node.ts';
import type { AskNodes } from '../store/cached-nodes.ts';
import type { NodeResolver, StoredConfig } from '../usecases/ports.ts';

type NodesClient = GrpcClient<typeof NodesServiceService>;

export const SERVICE = { kind: 'service', service: 'alarms' } as const;
const REFS_PER_CALL = 200;

/** Asks the nodes service on the caller's behalf: it knows what the caller may see. */
export const grpcNodeResolver = (nodes: NodesClient): NodeResolver => ({
  async resolve(nodeRef, { token, deadlineMs, signal }) {
    const { nodes: found } = await nodes.resolveNodes(
      { nodeRefs: [nodeRef], ownerId: '' },
      { token, deadlineMs, signal },
    );
    const [node] = found;
    if (!node) throw notFound();
    return toNode(node);
  },
});

/** Asks the nodes service on our own behalf. */
export function grpcAskNodes(nodes: NodesClient, signer: CallerSigner): AskNodes {
  const resolve = async (ownerId: string, nodeRefs: string[], signal: AbortSignal): Promise<StoredConfig[]> => {
    try {
      const token = await signer.sign(SERVICE);
      const { nodes: found } = await nodes.resolveNodes({ nodeRefs, ownerId }, { token, signal });
      return found.map((config) => ({ node: toNode(config), data: NodeConfig.encode(config).finish() }));
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      if (nodeRefs.length === 1) return [];
      // One that is gone refuses all: halves find it without asking for each.
      const middle = nodeRefs.length >> 1;
      return [
        ...(await resolve(ownerId, nodeRefs.slice(0, middle), signal)),
        ...(await resolve(ownerId, nodeRefs.slice(middle), signal)),
      ];
    }
  };
  return async (asked, signal) => {
    const found: StoredConfig[] = [];
    for (const [ownerId, ofOwner] of Map.groupBy(asked, (node) => node.ownerId)) {
      for (let at = 0; at < ofOwner.length; at += REFS_PER_CALL) {
        const refs = ofOwner.slice(at, at + REFS_PER_CALL).map((node) => node.nodeId);
        found.push(...(await resolve(ownerId, refs, signal)));
      }
    }
    return found;
  };
}
