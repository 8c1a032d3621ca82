import type { NodesServiceService } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import type { GrpcClient } from '@catchment/grpc';
import type { NodeResolver } from '../usecases/ports.ts';

/** Asks the nodes service on the caller's behalf: it knows what the caller may see. */
export const grpcNodeResolver = (nodes: GrpcClient<typeof NodesServiceService>): NodeResolver => ({
  async resolve(nodeRef, { token, deadlineMs, signal }) {
    const { nodes: found } = await nodes.resolveNodes(
      { nodeRefs: [nodeRef], ownerId: '' },
      { token, deadlineMs, signal },
    );
    const [node] = found;
    if (!node) throw notFound();
    return node.nodeId;
  },
});
