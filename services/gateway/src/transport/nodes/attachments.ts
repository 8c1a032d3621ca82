import type { WriteSegmentResponse } from '@catchment/contracts/files';
import { invalid } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import { NODE_READ, readArguments } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import { receiveUpload, type Upload } from '../request/receive-upload.ts';
import { type ApiCall, created, uploadOptions } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { storedUpload, type UploadReceiver } from '../routing/stored-upload.ts';
import * as docs from './attachments-docs.ts';

const FIELDS: readonly string[] = ['name', 'description'];

/**
 * Uploads (docs/reference/attachments.md#upload): the file goes to the nodes service piece by piece, and becomes a node when
 * all of it is there.
 */
export function attachmentRoutes({ files, render }: Pick<Peers, 'files' | 'render'>, signer: CallerSigner): RouteTable {
  const previewOf = async (file: { fileId: string; size: number; segmentBytes: number }, { options }: ApiCall) => {
    const token = await signer.sign({ kind: 'service', service: 'gateway' });
    return (await render.renderPreview(file, { ...options, token })).jpeg;
  };

  return {
    '/nodes/:id/attachments': {
      POST: {
        schema: docs.uploadAttachment,
        body: 'multipart',
        keyed: 'once',
        answer: async (call) => {
          const shown = readArguments(NODE_READ, call.query);
          const options = uploadOptions(call, signer);
          const store: UploadReceiver<WriteSegmentResponse> = {
            begin: (of) => files.beginUpload({ nodeRef: call.id }, of),
            write: (segment, of) => files.writeSegment(segment, of),
            abandon: (file, of) => files.abandonUpload(file, of),
          };
          return storedUpload(store, options, async ({ fileId, segmentBytes }, target, first) => {
            const upload = await receiveUpload(call.raw, target);
            const { size, fileName } = upload;
            const given = { nodeRef: call.id, fileName, ...shown, ...fieldsOf(upload) };
            const isPicture = first()?.isPicture ?? false;
            const preview = isPicture ? await previewOf({ fileId, size, segmentBytes }, call) : Buffer.alloc(0);
            return created((await files.finishUpload({ fileId, size, preview, ...given }, await options.last())).json);
          });
        },
      },
    },
  };
}

/** @throws DomainError invalid_argument for parts that mean nothing */
function fieldsOf({ fields }: Upload): { name?: string; description?: string } {
  for (const name of fields.keys())
    if (!FIELDS.includes(name)) throw invalid('UNKNOWN_PART', `${name}: must be ${FIELDS.join(' or ')}, or the file`);
  const [name, description] = FIELDS.map((field) => fields.get(field));
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
}
