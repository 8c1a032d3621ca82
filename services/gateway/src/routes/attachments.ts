import { invalid } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import type { Peers } from '../clients/peers.ts';
import * as docs from '../docs/attachments.ts';
import { textArgument } from '../request/arguments.ts';
import { receiveUpload, type Upload } from '../request/receive-upload.ts';
import { type ApiCall, CALL_MS, created } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';
import { expiryOf } from './nodes.ts';

const FIELDS: readonly string[] = ['name', 'description'];

/** Uploads (semantics 4.5): the file goes to the nodes service piece by piece, and becomes a node when all of it is there. */
export function attachmentRoutes({ files, render }: Pick<Peers, 'files' | 'render'>, signer: CallerSigner): RouteTable {
  /** A call that does not end when the client leaves: what is stored must be known for certain. */
  const certain = async ({ caller }: ApiCall) => ({ token: await signer.sign(caller), timeoutMs: CALL_MS });

  const previewOf = async (file: { fileId: string; size: number; segmentBytes: number }, { options }: ApiCall) => {
    const token = await signer.sign({ kind: 'service', service: 'gateway' });
    return (await render.renderPreview(file, { ...options, token })).jpeg;
  };

  return {
    '/nodes/:id/attachments': {
      POST: {
        schema: docs.uploadAttachment,
        body: 'multipart',
        answer: async (call) => {
          const shown = { attr: textArgument(call.query, 'attr'), expiry: expiryOf(call.query) };
          const { fileId, segmentBytes, maxBytes } = await files.beginUpload({ nodeRef: call.id }, await certain(call));
          let isPicture = false;
          let isCertain = true;
          const write = async (index: number, data: Buffer) => {
            isCertain = false;
            const answer = await files.writeSegment({ fileId, index, data }, await certain(call));
            isCertain = true;
            if (index === 0) isPicture = answer.isPicture;
          };
          try {
            const upload = await receiveUpload(call.raw, { segmentBytes, maxBytes, write });
            const { size, fileName } = upload;
            const given = { nodeRef: call.id, fileName, ...shown, ...fieldsOf(upload) };
            const preview = isPicture ? await previewOf({ fileId, size, segmentBytes }, call) : Buffer.alloc(0);
            return created((await files.finishUpload({ fileId, size, preview, ...given }, await certain(call))).json);
          } catch (error) {
            // A segment that may still be on its way to the store is left to the sweep.
            if (isCertain) await files.abandonUpload({ fileId }, await certain(call)).catch(() => undefined);
            throw error;
          }
        },
      },
    },
  };
}

/** @throws DomainError invalid_argument for parts that mean nothing */
function fieldsOf({ fields }: Upload): { name?: string; description?: string } {
  for (const name of fields.keys())
    if (!FIELDS.includes(name)) throw invalid('UNKNOWN_PART', `${name}: must be ${FIELDS.join(' or ')}, or the file`);
  const [name, description] = FIELDS.map((one) => fields.get(one));
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
}
