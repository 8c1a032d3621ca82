import { invalid } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import { ATTR, FILE_HAND_OVER, PAGED_LIST, readArguments } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import * as docs from '../docs/devices.ts';
import { receiveFile } from '../request/receive-upload.ts';
import { accepted, CALL_MS, changed, created, document, list, uploadOptions } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';
import { storedUpload, type UploadStore } from './stored-upload.ts';

export function deviceRoutes({ devices }: Pick<Peers, 'devices'>, signer: CallerSigner): RouteTable {
  return {
    '/devices': {
      GET: {
        schema: docs.listDevices,
        answer: async (call) =>
          list(call, devices.listDevices(readArguments(PAGED_LIST, call.query), call.streamOptions(CALL_MS))),
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
        answer: async (call) => {
          const begun = { nodeRef: call.id, fileName: readArguments(FILE_HAND_OVER, call.query).name };
          const options = uploadOptions(call, signer);
          const store: UploadStore<unknown> = {
            begin: (of) => devices.beginFile(begun, of),
            write: (segment, of) => devices.writeFileSegment(segment, of),
            abandon: (file, of) => devices.abandonFile(file, of),
          };
          return storedUpload(store, options, async ({ fileId }, target) => {
            const size = await receiveFile(call.raw, target);
            if (size === 0) throw invalid('BODY_MISSING', 'body: must be sent');
            const { report } = await devices.finishFile({ fileId, size }, await options.step());
            if (!report) return accepted({ file: { state: 'PROCESSING' } });
            return accepted({ file: { state: 'PROCESSED', ...report, firstFailure: report.firstFailure || null } });
          });
        },
      },
    },
    '/devices/:id': {
      GET: {
        schema: docs.getDevice,
        answer: async ({ id, query, options }) =>
          document((await devices.getDevice({ deviceId: id, ...readArguments(ATTR, query) }, options)).json),
      },
      PUT: {
        schema: docs.updateDevice,
        body: 'json',
        answer: async ({ id, body, options }) =>
          changed((await devices.updateDevice({ deviceId: id, body }, options)).json),
      },
    },
  };
}
