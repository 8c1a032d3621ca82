import { invalid } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import { ATTR, FILE_HAND_OVER, PAGED_LIST, readArguments } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import { receiveFile, receiveUpload } from '../request/receive-upload.ts';
import { accepted, CALL_MS, changed, created, document, list, SUCCESS, uploadOptions } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { storedUpload, type UploadReceiver } from '../routing/stored-upload.ts';
import * as docs from './devices-docs.ts';
import * as files from './files-docs.ts';

/** Fits a parser of some hundred columns. */
const IMPORT_FIELD_BYTES = 64 * 1024;

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
        schema: files.receiveFile,
        body: 'file',
        answer: async (call) => {
          const begun = { nodeRef: call.id, fileName: readArguments(FILE_HAND_OVER, call.query).name };
          const options = uploadOptions(call, signer);
          const store: UploadReceiver<unknown> = {
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
    '/nodes/:id/import': {
      POST: {
        schema: files.importFile,
        body: 'multipart',
        answer: async (call) => {
          const options = uploadOptions(call, signer);
          const store: UploadReceiver<unknown> = {
            begin: (of) => devices.beginImport({ nodeRef: call.id }, of),
            write: (segment, of) => devices.writeFileSegment(segment, of),
            abandon: (file, of) => devices.abandonFile(file, of),
          };
          return storedUpload(store, options, async ({ fileId }, target) => {
            const { size, fileName, fields } = await receiveUpload(call.raw, target, IMPORT_FIELD_BYTES);
            const finished = { fileId, size, fileName, settings: Object.fromEntries(fields) };
            const { json } = await devices.finishImport(finished, await options.step());
            return accepted({ import: JSON.parse(json.toString()) });
          });
        },
      },
    },
    '/imports': {
      GET: {
        schema: files.listImports,
        answer: async ({ options }) => document((await devices.listImports({}, options)).json),
      },
    },
    '/imports/:id': {
      GET: {
        schema: files.getImport,
        answer: async ({ id, options }) => document((await devices.getImport({ importId: id }, options)).json),
      },
      DELETE: {
        schema: files.cancelImport,
        answer: async ({ id, options }) => changed((await devices.cancelImport({ importId: id }, options)).json),
      },
    },
    '/devices/:id/commands': {
      POST: {
        schema: docs.commandDevice,
        body: 'json',
        answer: async ({ id, body, options }) => {
          const { json } = await devices.commandDevice({ deviceId: id, body }, options);
          return accepted({ command: JSON.parse(json.toString()) as object });
        },
      },
    },
    '/nodes/:id/operate/remote': {
      POST: {
        schema: docs.startRemote,
        body: 'json',
        answer: async ({ id, body, options }) =>
          changed((await devices.startRemote({ nodeRef: id, body }, options)).json),
      },
      GET: {
        schema: docs.readRemote,
        answer: async ({ id, options }) => document((await devices.readRemote({ nodeRef: id }, options)).json),
      },
      DELETE: {
        schema: docs.stopRemote,
        answer: async ({ id, options }) => {
          await devices.stopRemote({ nodeRef: id }, options);
          return SUCCESS;
        },
      },
    },
    '/nodes/:id/parser/preview': {
      POST: {
        schema: files.previewParser,
        body: 'json',
        answer: async ({ id, body, options }) =>
          changed((await devices.previewParser({ nodeRef: id, body }, options)).json),
      },
    },
    '/devices/:id': {
      DELETE: {
        schema: docs.deleteDevice,
        answer: async ({ id, options }) => {
          await devices.deleteDevice({ deviceId: id }, options);
          return SUCCESS;
        },
      },
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
