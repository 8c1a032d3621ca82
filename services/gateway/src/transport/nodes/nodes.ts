import { invalid } from '@catchment/errors';
import { ATTR, NODE_CLONE, NODE_LIST, NODE_READ, RATING_READ, RATING_WRITE, readArguments } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import type { QueryArguments } from '../request/query.ts';
import { CALL_MS, changed, created, createdList, document, list, SUCCESS } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { getDiagnosis } from './diagnosis-docs.ts';
import * as lines from './node-lines-docs.ts';
import * as docs from './nodes-docs.ts';

const CSV_TYPE = 'text/csv; charset=utf-8';

export function nodeRoutes({ nodes, diagnosis }: Peers): RouteTable {
  return {
    '/nodes': {
      GET: {
        schema: docs.listNodes,
        answer: async (call) => list(call, nodes.listNodes(listRequest(call.query), call.streamOptions(CALL_MS))),
      },
      POST: {
        schema: docs.createNode,
        keyed: 'once',
        body: 'json',
        answer: async (call) => created((await nodes.createNode({ body: call.body }, call.options)).json),
      },
    },
    '/nodes/search': {
      GET: {
        schema: lines.searchNodes,
        answer: async ({ query, options }) =>
          document((await nodes.searchNodes({ arguments: { ...query } }, options)).json),
      },
    },
    '/nodes/children': {
      GET: {
        schema: lines.listChildren,
        answer: async ({ query, options }) =>
          document((await nodes.listChildren({ arguments: { ...query } }, options)).json),
      },
    },
    '/nodes/:id': {
      GET: {
        schema: docs.getNode,
        answer: async ({ id, query, options }) =>
          document((await nodes.getNode({ nodeRef: id, ...readArguments(NODE_READ, query) }, options)).json),
      },
      PUT: {
        schema: docs.updateNode,
        body: 'json',
        answer: async ({ id, query, body, options, ifMatch }) => {
          const request = { nodeRef: id, ifMatch: ifMatch(), body, ...readArguments(ATTR, query) };
          return changed((await nodes.updateNode(request, options)).json);
        },
      },
      DELETE: {
        schema: docs.deleteNode,
        answer: async ({ id, options, ifMatch }) => {
          await nodes.deleteNode({ nodeRef: id, ifMatch: ifMatch() }, options);
          return SUCCESS;
        },
      },
    },
    '/nodes/:id/diagnosis': {
      GET: {
        schema: getDiagnosis,
        answer: async ({ id, options }) => document((await diagnosis.getDiagnosis({ nodeRef: id }, options)).json),
      },
    },
    '/nodes/:id/rating': {
      GET: {
        schema: docs.getRating,
        answer: async ({ id, query, options }) => {
          readArguments(RATING_READ, query);
          const { csv, name } = await nodes.getRatingFile({ nodeRef: id }, options);
          return { ...document(csv), contentType: CSV_TYPE, fileName: name };
        },
      },
      PUT: {
        schema: docs.putRating,
        body: 'csv',
        answer: async ({ id, query, body, options, ifMatch }) => {
          const request = { nodeRef: id, ifMatch: ifMatch(), csv: body, ...readArguments(RATING_WRITE, query) };
          return changed((await nodes.putRatingFile(request, options)).json);
        },
      },
    },
    '/nodes/:id/parent': {
      PUT: {
        schema: docs.moveNode,
        body: 'json',
        answer: async ({ id, query, body, options, ifMatch }) => {
          const request = { nodeRef: id, ifMatch: ifMatch(), body, ...readArguments(ATTR, query) };
          return changed((await nodes.moveNode(request, options)).json);
        },
      },
    },
    '/nodes/:id/unlink': {
      POST: {
        schema: docs.unlinkNode,
        keyed: 'once',
        answer: async ({ id, query, options, ifMatch }) => {
          const request = { nodeRef: id, ifMatch: ifMatch(), ...readArguments(ATTR, query) };
          return changed((await nodes.unlinkNode(request, options)).json);
        },
      },
    },
    '/nodes/:id/clone': {
      POST: {
        schema: docs.cloneNode,
        keyed: 'once',
        isLong: true,
        body: 'json',
        answer: async ({ id, query, body, streamOptions }) => {
          const request = { nodeRef: id, body, ...readArguments(NODE_CLONE, query) };
          return createdList(nodes.cloneNode(request, streamOptions(CALL_MS)));
        },
      },
    },
  };
}

/** @throws DomainError invalid_argument */
function listRequest(query: QueryArguments) {
  const request = readArguments(NODE_LIST, query);
  // Even an empty one is refused (docs/reference/query-arguments.md#trees).
  const unfit = ['filter', 'limit', 'skip', 'sort'].find((name) => query[name] !== undefined);
  if (request.type === 'TREE' && unfit) throw invalid('INVALID_ARGUMENT', `${unfit}: must not be given with type=TREE`);
  return request;
}
