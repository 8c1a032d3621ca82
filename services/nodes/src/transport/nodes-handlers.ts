import type { NodesServiceService } from '@catchment/contracts/nodes';
import { apiCaller, type Handlers, scopeOf, serviceCaller } from '@catchment/grpc';
import { cloneNode } from '../usecases/clone-node.ts';
import { createNode } from '../usecases/create-node.ts';
import { deleteNode } from '../usecases/delete-node.ts';
import { ensureParameters } from '../usecases/ensure-parameters.ts';
import { type ListDeps, listNodes, listRevision } from '../usecases/list-nodes.ts';
import { moveNode } from '../usecases/move-node.ts';
import { parseBody } from '../usecases/parse-body.ts';
import { getNode } from '../usecases/read-nodes.ts';
import { deviceSources, getSource, resolveNodes } from '../usecases/resolve-nodes.ts';
import { unlinkNode } from '../usecases/unlink-node.ts';
import { updateNode } from '../usecases/update-node.ts';
import { fileUrlFor } from '../view/file-view.ts';
import { nodeDocument } from './node-document.ts';

/** NodesService: translates, calls one use case, translates. */
export const nodesHandlers = (deps: ListDeps): Handlers<typeof NodesServiceService> => ({
  createNode: async ({ body }, { caller }) =>
    nodeDocument(deps, caller, await createNode(deps, apiCaller(caller), parseBody(body))),
  getNode: async ({ nodeRef, attr, expiry }, { caller }) =>
    nodeDocument(deps, caller, await getNode(deps, scopeOf(apiCaller(caller)), nodeRef), { attr, expiry }),
  updateNode: async ({ nodeRef, body, attr }, { caller }) =>
    nodeDocument(deps, caller, await updateNode(deps, apiCaller(caller), nodeRef, parseBody(body)), { attr }),
  deleteNode: async ({ nodeRef }, { caller }) => {
    await deleteNode(deps, apiCaller(caller), nodeRef);
    return {};
  },
  moveNode: async ({ nodeRef, body, attr }, { caller }) =>
    nodeDocument(deps, caller, await moveNode(deps, apiCaller(caller), nodeRef, parseBody(body)), { attr }),
  unlinkNode: async ({ nodeRef, attr }, { caller }) =>
    nodeDocument(deps, caller, await unlinkNode(deps, apiCaller(caller), nodeRef), { attr }),
  async *cloneNode({ nodeRef, body, attr, type, expiry }, { caller }) {
    const urlOf = fileUrlFor(deps.files, caller, expiry, deps.now());
    for await (const text of cloneNode(deps, apiCaller(caller), nodeRef, parseBody(body), { attr, type, urlOf }))
      yield { data: Buffer.from(text), contentType: 'application/json; charset=utf-8', revision: '' };
  },
  async *listNodes(request, { caller }) {
    const scope = scopeOf(apiCaller(caller));
    const urlOf = fileUrlFor(deps.files, caller, request.expiry, deps.now());
    // Before the rows are read: a change in between gives a new revision to the next answer.
    const known = await listRevision(deps, scope);
    // Links that end are others with every answer: nobody keeps them.
    const revision = request.expiry > 0 ? '' : known;
    let head = { contentType: 'application/json; charset=utf-8', revision };
    for await (const text of listNodes(deps, scope, { ...request, limit: request.limit, urlOf })) {
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
