import { invalid } from '@catchment/errors';
import type { Peers } from '../../usecases/ports.ts';
import * as docs from '../docs/nodes.ts';
import { intArgument, textArgument, wordArgument } from '../request/arguments.ts';
import type { QueryArguments } from '../request/query.ts';
import { CALL_MS, changed, created, createdList, document, list, SUCCESS } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';

/** Largest page (docs/reference/limits.md). */
export const LIST_MAX = 50_000;
export const SKIP_MAX = 0xffff_ffff;
const EXPIRY_MAX_MINUTES = 525_600;

export function nodeRoutes({ nodes }: Peers): RouteTable {
  return {
    '/nodes': {
      GET: {
        schema: docs.listNodes,
        answer: async (call) => list(call, nodes.listNodes(listRequest(call.query), call.streamOptions(CALL_MS))),
      },
      POST: {
        schema: docs.createNode,
        body: 'json',
        answer: async (call) => created((await nodes.createNode({ body: call.body }, call.options)).json),
      },
    },
    '/nodes/:id': {
      GET: {
        schema: docs.getNode,
        answer: async ({ id, query, options }) => {
          const request = { nodeRef: id, attr: textArgument(query, 'attr'), expiry: expiryOf(query) };
          return document((await nodes.getNode(request, options)).json);
        },
      },
      PUT: {
        schema: docs.updateNode,
        body: 'json',
        answer: async ({ id, query, body, options }) => {
          const request = { nodeRef: id, body, attr: textArgument(query, 'attr') };
          return changed((await nodes.updateNode(request, options)).json);
        },
      },
      DELETE: {
        schema: docs.deleteNode,
        answer: async ({ id, options }) => {
          await nodes.deleteNode({ nodeRef: id }, options);
          return SUCCESS;
        },
      },
    },
    '/nodes/:id/parent': {
      PUT: {
        schema: docs.moveNode,
        body: 'json',
        answer: async ({ id, query, body, options }) => {
          const request = { nodeRef: id, body, attr: textArgument(query, 'attr') };
          return changed((await nodes.moveNode(request, options)).json);
        },
      },
    },
    '/nodes/:id/unlink': {
      POST: {
        schema: docs.unlinkNode,
        answer: async ({ id, query, options }) => {
          const request = { nodeRef: id, attr: textArgument(query, 'attr') };
          return changed((await nodes.unlinkNode(request, options)).json);
        },
      },
    },
    '/nodes/:id/clone': {
      POST: {
        schema: docs.cloneNode,
        body: 'json',
        answer: async ({ id, query, body, streamOptions }) => {
          const request = {
            nodeRef: id,
            body,
            attr: textArgument(query, 'attr'),
            type: wordArgument(query, 'type', ['LIST', 'TREE'], 'LIST'),
            expiry: expiryOf(query),
          };
          return createdList(nodes.cloneNode(request, streamOptions(CALL_MS)));
        },
      },
    },
  };
}

/** @throws DomainError invalid_argument */
function listRequest(query: QueryArguments) {
  const type = wordArgument(query, 'type', ['LIST', 'TREE'], 'LIST');
  // Even an empty one is refused (docs/reference/query-arguments.md#trees).
  const unfit = ['filter', 'limit', 'skip', 'sort'].find((name) => query[name] !== undefined);
  if (type === 'TREE' && unfit) throw invalid('BAD_ARGUMENT', `${unfit}: must not be given with type=TREE`);
  const limit = intArgument(query, 'limit', { min: 0, max: LIST_MAX });
  return {
    type,
    attr: textArgument(query, 'attr'),
    filter: textArgument(query, 'filter'),
    sort: textArgument(query, 'sort'),
    skip: intArgument(query, 'skip', { min: 0, max: SKIP_MAX }) ?? 0,
    expiry: expiryOf(query),
    limit,
  };
}

/** Minutes that links hold. @throws DomainError invalid_argument */
export const expiryOf = (query: QueryArguments): number =>
  intArgument(query, 'expiry', { min: 0, max: EXPIRY_MAX_MINUTES }) ?? 0;
