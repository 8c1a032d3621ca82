import { FilesServiceService } from '@catchment/contracts/files';
import { RenderServiceService } from '@catchment/contracts/render';
import { inSegments } from '@catchment/contracts/segments';
import { DomainError } from '@catchment/errors';
import type { CallerSigner, CallOptions, Peer } from '@catchment/grpc';
import type { Attachments } from '../usecases/attach-file.ts';

const STEP_TIMEOUT_MS = 30_000;

/** @param peers.render absent: attachments have no previews */
export function attachmentsClient(
  peers: { readonly nodes: Peer; readonly render: Peer | undefined },
  signer: CallerSigner,
): Attachments {
  const files = peers.nodes.client(FilesServiceService);
  const render = peers.render?.client(RenderServiceService);
  const step = async (signal?: AbortSignal): Promise<CallOptions> => ({
    token: await signer.sign({ kind: 'service', service: 'devices' }),
    timeoutMs: STEP_TIMEOUT_MS,
    ...(signal && { signal }),
  });
  const previewOf = async (file: { fileId: string; size: number; segmentBytes: number }, signal: AbortSignal) => {
    try {
      return (await render?.renderPreview(file, await step(signal)))?.jpeg;
    } catch (error) {
      // A picture that cannot be drawn is kept all the same.
      if (error instanceof DomainError && ['invalid_argument', 'internal', 'too_large'].includes(error.kind))
        return undefined;
      throw error;
    }
  };
  return {
    async add({ sourceId: nodeRef, ownerId }, { fileName, size, bytes }, signal) {
      const { fileId, segmentBytes } = await files.beginUpload({ nodeRef, ownerId }, await step(signal));
      let isCertain = true;
      try {
        let isPicture = false;
        let index = 0;
        for await (const data of inSegments(bytes, segmentBytes)) {
          signal.throwIfAborted();
          const options = await step();
          isCertain = false;
          const answer = await files.writeSegment({ fileId, index, data, ownerId }, options);
          isCertain = true;
          if (index === 0) isPicture = answer.isPicture;
          index += 1;
        }
        const preview = (isPicture && (await previewOf({ fileId, size, segmentBytes }, signal))) || Buffer.alloc(0);
        const shown = { attr: '_id', expiry: 0 };
        // `signal` does not end this call: it must be known whether there is an attachment.
        await files.finishUpload({ fileId, nodeRef, ownerId, size, fileName, preview, ...shown }, await step());
      } catch (error) {
        // A segment that may still be on its way is left to the sweep.
        if (isCertain) await files.abandonUpload({ fileId, ownerId }, await step()).catch(() => {});
        throw error;
      }
    },
  };
}
