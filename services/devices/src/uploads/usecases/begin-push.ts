import { serviceCaller } from '@catchment/access';
import type { BeginPushRequest, BeginPushResponse } from '@catchment/contracts/devices';
import { notFound } from '@catchment/errors';
import type { CallContext } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { FILE_MAX_BYTES, SEGMENT_BYTES } from '../../files/index.ts';
import { acquisitions, type FileSource } from '../../sources/index.ts';
import { baseName } from '../domain/upload-name.ts';
import type { UploadAdmission } from './admit-upload.ts';
import { settingsOf, type TakeDeps, waitForRoom } from './take-upload.ts';

export type PushDeps = TakeDeps & { readonly uploadAdmission: UploadAdmission };

/** A body that names no file gets this name. */
const UNNAMED = 'data';

/**
 * Begins a file that a client pushes to the gateway (docs/reference/acquisition.md#uploads); the steps after it are those of
 * hand-over-file.ts.
 * @throws DomainError as `UploadAdmission.admit`; resource_exhausted (too many files of the account wait)
 */
export async function beginPush(
  deps: PushDeps,
  { transport, key, fileName, address, password }: BeginPushRequest,
  { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
): Promise<BeginPushResponse> {
  serviceCaller(caller, 'gateway');
  if (transport !== 'HttpUpload' && transport !== 'Sms') throw notFound();
  const { source: node } = await deps.uploadAdmission.admit({ transport, key, password, address });
  const fileId = newObjectId(deps.now());
  try {
    await waitForRoom(deps, node.ownerId, signal);
    const source: FileSource = {
      ...(await settingsOf(deps, node)),
      pushedBy: transport,
      cameAsText: transport === 'Sms',
    };
    const file = { fileId, fileName: baseName(fileName) ?? UNNAMED, source, segmentBytes: SEGMENT_BYTES };
    await deps.store.insertFile(file);
  } catch (error) {
    acquisitions.add({ transport, outcome: 'failed' });
    throw error;
  }
  return { ownerId: node.ownerId, file: { fileId, segmentBytes: SEGMENT_BYTES, maxBytes: FILE_MAX_BYTES } };
}
