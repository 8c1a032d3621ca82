import type { NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import type { SecurityServiceService } from '@catchment/contracts/security';
import { notFound } from '@catchment/errors';
import type { CallContext, GrpcClient } from '@catchment/grpc';

/** The call on whose behalf nodes are looked up. */
export type NodeCall = Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>;

/** Nodes as the nodes service shows them to a caller: it alone knows what that one may see. */
export type VisibleNodes = {
  /** @throws DomainError not_found | permission_denied | unavailable */
  resolve(nodeRef: string, call: NodeCall): Promise<NodeConfig>;
  /** Ids by customId; what the caller may not see is left out. */
  named(customIds: readonly string[], call: NodeCall): Promise<ReadonlyMap<string, string>>;
  /**
   * Returns every node that is closed to the caller within open workspaces (docs/reference/people-and-security.md#effective-permissions).
   */
  closed(call: NodeCall): Promise<readonly string[]>;
};

export function visibleNodes(
  nodes: Pick<GrpcClient<typeof NodesServiceService>, 'resolveNodes'>,
  security: Pick<GrpcClient<typeof SecurityServiceService>, 'listClosedNodes'>,
): VisibleNodes {
  return {
    resolve: (nodeRef, call) => resolveNode(nodes, nodeRef, call),
    async named(customIds, call) {
      if (customIds.length === 0) return new Map();
      const nodeRefs = customIds.map((customId) => `@${customId}`);
      const answer = await nodes.resolveNodes({ nodeRefs, ownerId: '', skipsMissing: true }, optionsOf(call));
      return new Map(answer.nodes.map(({ customId, nodeId }) => [customId, nodeId]));
    },
    async closed(call) {
      const ids: string[] = [];
      for await (const { nodeIds } of security.listClosedNodes({}, optionsOf(call))) ids.push(...nodeIds);
      return ids;
    },
  };
}

/** The node behind a reference. @throws as `VisibleNodes.resolve` */
export async function resolveNode(
  nodes: Pick<GrpcClient<typeof NodesServiceService>, 'resolveNodes'>,
  nodeRef: string,
  call: NodeCall,
): Promise<NodeConfig> {
  const answer = await nodes.resolveNodes({ nodeRefs: [nodeRef], ownerId: '' }, optionsOf(call));
  const [node] = answer.nodes;
  if (!node) throw notFound();
  return node;
}

/** Returns the nodes behind references, as far as the caller may see them; in no order. @throws DomainError unavailable */
export async function seenNodes(
  nodes: Pick<GrpcClient<typeof NodesServiceService>, 'resolveNodes'>,
  nodeRefs: readonly string[],
  call: NodeCall,
): Promise<readonly NodeConfig[]> {
  return (await nodes.resolveNodes({ nodeRefs: [...nodeRefs], ownerId: '', skipsMissing: true }, optionsOf(call)))
    .nodes;
}

const optionsOf = ({ token, deadlineMs, signal }: NodeCall) => ({ token, deadlineMs, signal });
