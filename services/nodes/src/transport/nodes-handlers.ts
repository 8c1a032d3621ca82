import type { Document } from '@catchment/contracts/common';
import type { NodesServiceService } from '@catchment/contracts/nodes';
import { apiCaller, type Handlers, scopeOf, serviceCaller } from '@catchment/grpc';
import { parseAttr, selectAttributes } from '@catchment/query';
import { cloneNode } from '../usecases/clone-node.ts';
import { createNode } from '../usecases/create-node.ts';
import { deleteNode } from '../usecases/delete-node.ts';
import type { Deps } from '../usecases/deps.ts';
import { ensureParameters } from '../usecases/ensure-parameters.ts';
import { type ListDeps, listNodes, listRevision } from '../usecases/list-nodes.ts';
import { moveNode } from '../usecases/move-node.ts';
import { parseBody } from '../usecases/parse-body.ts';
import { getNode } from '../usecases/read-nodes.ts';
import { deviceSources, getSource, resolveNodes } from '../usecases/resolve-nodes.ts';
import { unlinkNode } from '../usecases/unlink-node.ts';
import { updateNode } from '../usecases/update-node.ts';
import { nodeView, type ViewedNode } from '../view/node-view.ts';

/** NodesService: translates, calls one use case, translates. */
export const nodesHandlers = (deps: ListDeps): Handlers<typeof NodesServiceService> => ({
  createNode: async ({ body }, { caller }) =>
    document(deps, await createNode(deps, apiCaller(caller), parseBody(body))),
  getNode: async ({ nodeRef, attr }, { caller }) =>
    document(deps, await getNode(deps, scopeOf(apiCaller(caller)), nodeRef), attr),
  updateNode: async ({ nodeRef, body, attr }, { caller }) =>
    document(deps, await updateNode(deps, apiCaller(caller), nodeRef, parseBody(body)), attr),
  deleteNode: async ({ nodeRef }, { caller }) => {
    await deleteNode(deps, apiCaller(caller), nodeRef);
    return {};
  },
  moveNode: async ({ nodeRef, body, attr }, { caller }) =>
    document(deps, await moveNode(deps, apiCaller(caller), nodeRef, parseBody(body)), attr),
  unlinkNode: async ({ nodeRef, attr }, { caller }) =>
    document(deps, await unlinkNode(deps, apiCaller(caller), nodeRef), attr),
  async *cloneNode({ nodeRef, body, attr, type }, { caller }) {
    for await (const text of cloneNode(deps, apiCaller(caller), nodeRef, parseBody(body), { attr, type }))
      yield { data: Buffer.from(text), contentType: 'application/json; charset=utf-8', revision: '' };
  },
  async *listNodes(request, { caller }) {
    const scope = scopeOf(apiCaller(caller));
    // Before the rows are read: a change in between gives a new revision to the next answer.
    const revision = await listRevision(deps, scope);
    let head = { contentType: 'application/json; charset=utf-8', revision };
    for await (const text of listNodes(deps, scope, { ...request, limit: request.limit })) {
      yield { data: Buffer.from(text), ...head };
      head = { contentType: '', revision: '' };
    }
  },
  resolveNodes: async ({ nodeRefs, ownerId }, { caller }) => ({
    nodes: await resolveNodes(deps, scopeOf(caller, ownerId), nodeRefs),
  }),
  getSource: ({ sourceId, ownerId }, { caller }) => getSource(deps, scopeOf(caller, ownerId), sourceId),
  ensureParameters: async ({ sourceId, ownerId, columns }, { caller }) => ({
    parameters: await ensureParameters(deps, caller, scopeOf(caller, ownerId), sourceId, columns),
  }),
  async *listDeviceSources(_request, { caller }) {
    serviceCaller(caller);
    yield* deviceSources(deps);
  },
});

function document(deps: Deps, node: ViewedNode, attr = ''): Document {
  const whole = nodeView(node, deps.names, deps.now());
  return { json: Buffer.from(JSON.stringify(attr === '' ? whole : selectAttributes(whole, parseAttr(attr)))) };
}
