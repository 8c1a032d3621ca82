import type { NodesServiceService } from '@catchment/contracts/nodes';
import type { SecurityServiceService } from '@catchment/contracts/security';
import { notFound } from '@catchment/errors';
import type { GrpcClient } from '@catchment/grpc';
import type { NodeResolver } from '../usecases/ports.ts';

/** Asks the nodes service on the caller's behalf: it knows what the caller may see. */
export const grpcNodeResolver = (
  nodes: GrpcClient<typeof NodesServiceService>,
  security: GrpcClient<typeof SecurityServiceService>,
): NodeResolver => ({
  async resolve(nodeRef, { token, deadlineMs, signal }) {
    const { nodes: found } = await nodes.resolveNodes(
      { nodeRefs: [nodeRef], ownerId: '' },
      { token, deadlineMs, signal },
    );
    const [node] = found;
    if (!node) throw notFound();
    return node.nodeId;
  },
  async named(customIds, { token, deadlineMs, signal }) {
    if (customIds.length === 0) return new Map();
    const { nodes: found } = await nodes.resolveNodes(
      { nodeRefs: customIds.map((customId) => `@${customId}`), ownerId: '', skipsMissing: true },
      { token, deadlineMs, signal },
    );
    return new Map(found.map(({ customId, nodeId }) => [customId, nodeId]));
  },
  async closed({ token, deadlineMs, signal }) {
    const ids: string[] = [];
    for await (const { nodeIds } of security.listClosedNodes({}, { token, deadlineMs, signal })) ids.push(...nodeIds);
    return ids;
  },
});
