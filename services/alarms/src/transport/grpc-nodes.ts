import type { NodesServiceService } from '@catchment/contracts/nodes';
import type { GrpcClient } from '@catchment/grpc';
import { resolveNode } from '@catchment/node-replica';
import { toNode } from '../domain/node.ts';
import type { NodeResolver } from '../usecases/ports.ts';

/** Asks the nodes service on the caller's behalf: it knows what the caller may see. */
export const grpcNodeResolver = (nodes: GrpcClient<typeof NodesServiceService>): NodeResolver => ({
  resolve: async (nodeRef, call) => toNode(await resolveNode(nodes, nodeRef, call)),
});
