import type { NodesServiceService } from '@catchment/contracts/nodes';
import { apiCaller, type Handlers, scopeOf, serviceCaller } from '@catchment/grpc';
import { parseBody } from '../usecases/parse-body.ts';
import { unlinkNode } from '../usecases/templates/unlink-node.ts';
import { cloneNode } from '../usecases/tree/clone-node.ts';
import { createNode } from '../usecases/tree/create-node.ts';
import { deleteNode } from '../usecases/tree/delete-node.ts';
import { ensureParameters } from '../usecases/tree/ensure-parameters.ts';
import { type ListDeps, listNodes, listRevision } from '../usecases/tree/list-nodes.ts';
import { moveNode } from '../usecases/tree/move-node.ts';
import { getNode } from '../usecases/tree/read-nodes.ts';
import { deviceSources, getSource, resolveNodes } from '../usecases/tree/resolve-nodes.ts';
import { updateNode } from '../usecases/tree/update-node.ts';
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
  resolveNodes: async ({ ownerId, ...asked }, { caller }) => ({
    nodes: await resolveNodes(deps, scopeOf(caller, ownerId), asked),
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
