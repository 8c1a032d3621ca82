import type { BeginPushRequest } from '@catchment/contracts/devices';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import type { Peers } from '../../usecases/ports.ts';
import type { UploadTarget } from '../request/receive-upload.ts';
import { CALL_MS } from '../routing/api-call.ts';
import { storedUpload, type UploadReceiver } from '../routing/stored-upload.ts';

export type PushedDeps = { readonly devices: Peers['devices']; readonly signer: CallerSigner };

/** Returns where files are sent without a key of the API, without the slash at the end. */
export const uploadPath = (uploadUrl: string | undefined): string =>
  uploadUrl === undefined ? '/upload' : new URL(uploadUrl).pathname.replace(/\/+$/, '');

/**
 * Takes a file that is pushed for the source of a key; it is kept when this resolves.
 * @param send stores the bytes for the source of an account. @returns their number, at the least 1
 * @throws DomainError as BeginPush; what `send` throws
 */
export async function pushedFile(
  { devices, signer }: PushedDeps,
  begun: BeginPushRequest,
  send: (target: UploadTarget, ownerId: string) => Promise<number>,
): Promise<void> {
  const step = async (): Promise<CallOptions> => ({
    token: await signer.sign({ kind: 'service', service: 'gateway' }),
    timeoutMs: CALL_MS,
  });
  let ownerId = '';
  const store: UploadReceiver<unknown> = {
    begin: async (of) => {
      const { ownerId: owner, file } = await devices.beginPush(begun, of);
      ownerId = owner;
      if (!file) throw new Error('the devices service has begun no file');
      return file;
    },
    write: (segment, of) => devices.writeFileSegment({ ...segment, ownerId }, of),
    abandon: (file, of) => devices.abandonFile({ ...file, ownerId }, of),
  };
  await storedUpload(store, { step, last: step, cleanUp: step }, async ({ fileId }, target) => {
    const size = await send(target, ownerId);
    await devices.finishFile({ fileId, size, ownerId }, await step());
  });
}
