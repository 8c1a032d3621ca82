import { apiCaller, type Caller, scopeOf, serviceCaller } from '@catchment/access';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { type FairQueue, slotsFor } from '@catchment/fair-queue';
import { admitted, type Handlers } from '@catchment/grpc';
import { parseBody } from '../../domain/body/parse-body.ts';
import { unlinkNode } from '../../templates/index.ts';
import { done } from '../../transport/answers.ts';
import {
  fileUrlFor,
  getNode,
  listAlarms,
  listChildren,
  listNodes,
  listRevision,
  nodeDocument,
  SharedViews,
  searchNodes,
} from '../../views/index.ts';
import { getAcquisition } from '../usecases/acquisition.ts';
import { activateParameters } from '../usecases/activate-parameters.ts';
import { clonedText, cloneNode } from '../usecases/clone-node.ts';
import { createNode } from '../usecases/create-node.ts';
import { deleteNode } from '../usecases/delete-node.ts';
import type { TreeDeps } from '../usecases/deps.ts';
import { draftNode } from '../usecases/draft-node.ts';
import { ensureParameters } from '../usecases/ensure-parameters.ts';
import { getFileSource } from '../usecases/file-source.ts';
import { moveNode } from '../usecases/move-node.ts';
import type { TreeStore } from '../usecases/ports.ts';
import { findPushSource } from '../usecases/push-source.ts';
import { exportRating, importRating } from '../usecases/rating-file.ts';
import { deviceSources, getSource, listParametersBelow, resolveNodes } from '../usecases/resolve-nodes.ts';
import type { Changed } from '../usecases/settled.ts';
import { updateNode } from '../usecases/update-node.ts';
import { alarmsWork, CHANGE_COSTS, CLONE_COST, changingQueue, nodesWork, READING_SLOTS } from './work-queues.ts';

const CLONE_LANE = 'cloneNode';

/** NodesService: lets calls in, in their accounts' turns; translates, calls one use case, translates. */
export function nodesHandlers(store: TreeStore, deps: TreeDeps): Handlers<NodesServiceService> {
  const [reading, changing] = [slotsFor('TOO_MANY_LISTS', READING_SLOTS), changingQueue()];
  const handlers = plainHandlers(store, deps, { reading, changing, shared: new SharedViews(deps.database) });
  const lists = admitted(NodesServiceService, handlers, reading, {
    listNodes: nodesWork,
    searchNodes: 1,
    listChildren: 1,
    listAlarms: alarmsWork,
  });
  return admitted(NodesServiceService, lists, changing, CHANGE_COSTS);
}

const inJson = async (answer: Promise<object>) => ({ json: Buffer.from(JSON.stringify(await answer)) });

const changedDocument = (deps: TreeDeps, caller: Caller, { node, warnings }: Changed, attr: string) =>
  nodeDocument(deps, caller, node, { attr, warnings });

const plainHandlers = (
  store: TreeStore,
  deps: TreeDeps,
  {
    reading,
    changing,
    shared,
  }: { readonly reading: FairQueue; readonly changing: FairQueue; readonly shared: SharedViews },
): Handlers<NodesServiceService> => ({
  createNode: async ({ body }, { caller }) =>
    nodeDocument(deps, caller, await createNode(store, deps, apiCaller(caller), parseBody(body))),
  getNode: async ({ nodeRef, attr, expiry, draft }, { caller }) => {
    const asking = apiCaller(caller);
    const node = await getNode({ database: deps.database, shared }, scopeOf(asking), nodeRef);
    return nodeDocument(deps, caller, await draftNode(deps, asking, node, draft), { attr, expiry });
  },
  updateNode: async ({ nodeRef, body, attr, ifMatch }, { caller }) =>
    changedDocument(
      deps,
      caller,
      await updateNode(store, deps, apiCaller(caller), { nodeRef, given: parseBody(body), ifMatch }),
      attr,
    ),
  getRatingFile: ({ nodeRef }, { caller }) => exportRating(deps, scopeOf(apiCaller(caller)), nodeRef),
  putRatingFile: async ({ nodeRef, attr, ...file }, { caller }) =>
    changedDocument(deps, caller, await importRating(store, deps, apiCaller(caller), nodeRef, file), attr),
  deleteNode: ({ nodeRef, ifMatch }, { caller }) => done(deleteNode(store, deps, apiCaller(caller), nodeRef, ifMatch)),
  moveNode: async ({ nodeRef, body, attr, ifMatch }, { caller }) =>
    changedDocument(
      deps,
      caller,
      await moveNode(store, deps, apiCaller(caller), { nodeRef, body: parseBody(body), ifMatch }),
      attr,
    ),
  unlinkNode: async ({ nodeRef, attr, ifMatch }, { caller }) =>
    nodeDocument(deps, caller, await unlinkNode(deps, apiCaller(caller), nodeRef, ifMatch), { attr }),
  async *cloneNode({ nodeRef, body, attr, type, expiry }, { caller, signal }) {
    const urlOf = fileUrlFor(deps.files, caller, expiry, deps.now());
    const work = { account: apiCaller(caller).ownerId, lane: CLONE_LANE, signal };
    await using ends = new AsyncDisposableStack();
    const endChange = await changing.enter({ ...work, cost: CLONE_COST });
    ends.defer(endChange);
    // The answer has its room before the change: a clone that is made must be answered. A client that reads its answer slowly holds up no
    // other change.
    ends.defer(await reading.enter({ ...work, cost: 1, isBulk: true }));
    const options = { attr, type, urlOf };
    const cloned = await cloneNode(deps, apiCaller(caller), nodeRef, parseBody(body), options);
    endChange();
    for await (const text of clonedText(deps, cloned))
      yield { data: Buffer.from(text), contentType: 'application/json; charset=utf-8', revision: '' };
  },
  async *listNodes(request, { caller }) {
    const asking = apiCaller(caller);
    const urlOf = fileUrlFor(deps.files, caller, request.expiry, deps.now());
    // The revision is read before the rows: a change in between gives a new revision to the next answer.
    const revision = await listRevision(deps, scopeOf(asking), request.expiry);
    let head = { contentType: 'application/json; charset=utf-8', revision };
    for await (const text of listNodes(deps, asking, { ...request, limit: request.limit, urlOf })) {
      yield { data: Buffer.from(text), ...head };
      head = { contentType: '', revision: '' };
    }
  },
  searchNodes: ({ arguments: given }, { caller }) => inJson(searchNodes(deps, apiCaller(caller), given)),
  listChildren: ({ arguments: given }, { caller }) => inJson(listChildren(deps, apiCaller(caller), given)),
  listAlarms: ({ arguments: given }, { caller }) =>
    inJson(listAlarms(deps.database, scopeOf(apiCaller(caller)), given)),
  resolveNodes: async ({ ownerId, ...asked }, { caller }) => ({
    nodes: await resolveNodes(deps, scopeOf(caller, ownerId), asked),
  }),
  listParametersBelow: async ({ ownerId, ...asked }, { caller }) => ({
    nodes: await listParametersBelow(deps, scopeOf(caller, ownerId), asked),
  }),
  getSource: ({ sourceId, ownerId }, { caller }) => getSource(deps, scopeOf(caller, ownerId), sourceId),
  getFileSource: (request, { caller }) => getFileSource(deps, scopeOf(apiCaller(caller)), request),
  ensureParameters: async ({ sourceId, ownerId, columns }, { caller }) => ({
    parameters: await ensureParameters(deps, caller, scopeOf(caller, ownerId), sourceId, columns),
  }),
  findPushSource: ({ transport, key }, { caller }) => {
    serviceCaller(caller, 'devices');
    return findPushSource(deps, transport, key);
  },
  getAcquisition: ({ ownerId, sourceId }, { caller }) => {
    serviceCaller(caller, 'devices');
    return getAcquisition(deps, scopeOf(caller, ownerId).ownerId, sourceId);
  },
  activateParameters: async ({ ownerId, sourceId, activeSeries, inactiveSeries }, { caller }) => {
    serviceCaller(caller, 'devices');
    await activateParameters(store, deps, scopeOf(caller, ownerId).ownerId, sourceId, { activeSeries, inactiveSeries });
    return {};
  },
  async *listDeviceSources(_request, { caller }) {
    serviceCaller(caller);
    yield* deviceSources(deps);
  },
});
