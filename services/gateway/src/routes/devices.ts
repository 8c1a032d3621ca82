import type { Peers } from '../clients/peers.ts';
import * as docs from '../docs/devices.ts';
import { intArgument, textArgument } from '../request/arguments.ts';
import { accepted, CALL_MS, created, document, list } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';
import { LIST_MAX, SKIP_MAX } from './nodes.ts';

/** Reading a file of the largest size twice, and writing it. */
const FILE_MS = 80_000;

export function deviceRoutes({ devices }: Peers): RouteTable {
  return {
    '/devices': {
      GET: {
        schema: docs.listDevices,
        answer: async (call) => {
          const request = {
            attr: textArgument(call.query, 'attr'),
            filter: textArgument(call.query, 'filter'),
            sort: textArgument(call.query, 'sort'),
            skip: intArgument(call.query, 'skip', { min: 0, max: SKIP_MAX }) ?? 0,
            limit: intArgument(call.query, 'limit', { min: 0, max: LIST_MAX }),
          };
          return list(call, devices.listDevices(request, call.streamOptions(CALL_MS)));
        },
      },
      POST: {
        schema: docs.createDevice,
        body: 'json',
        answer: async ({ body, options }) => created((await devices.createDevice({ body }, options)).json),
      },
    },
    '/nodes/:id/files': {
      POST: {
        schema: docs.receiveFile,
        body: 'file',
        answer: async ({ id, query, body, options }) => {
          const request = { nodeRef: id, body, fileName: textArgument(query, 'name') };
          const { firstFailure, ...counts } = await devices.receiveFile(request, { ...options, timeoutMs: FILE_MS });
          return accepted({ file: { ...counts, firstFailure: firstFailure || null } });
        },
      },
    },
    '/devices/:id': {
      GET: {
        schema: docs.getDevice,
        answer: async ({ id, query, options }) =>
          document((await devices.getDevice({ deviceId: id, attr: textArgument(query, 'attr') }, options)).json),
      },
    },
  };
}
