import { DomainError } from '@catchment/errors';
import type { CallOptions } from '@catchment/grpc';
import type { UploadTarget } from '../request/receive-upload.ts';
import type { UploadOptions } from './api-call.ts';

/** A service has begun to keep this file. */
type BegunUpload = { readonly fileId: string; readonly segmentBytes: number; readonly maxBytes: number };

/** A service receives a file by these calls, segment by segment. */
export type UploadReceiver<First> = {
  begin(options: CallOptions): Promise<BegunUpload>;
  write(segment: { fileId: string; index: number; data: Buffer }, options: CallOptions): Promise<First>;
  /** @param file `isRefused`: by what the client has sent */
  abandon(file: { fileId: string; isRefused: boolean }, options: CallOptions): Promise<unknown>;
};

/**
 * Begins a file and lets `work` send its segments and finish it; when that fails, nothing of it is left.
 * @param work `first` is what the service has answered to the first segment
 */
export async function storedUpload<First, T>(
  receiver: UploadReceiver<First>,
  { step, cleanUp }: UploadOptions,
  work: (begun: BegunUpload, target: UploadTarget, first: () => First | undefined) => Promise<T>,
): Promise<T> {
  const begun = await receiver.begin(await step());
  const { fileId, segmentBytes, maxBytes } = begun;
  let first: First | undefined;
  let isCertain = true;
  const write = async (index: number, data: Buffer) => {
    const options = await step();
    isCertain = false;
    const answer = await receiver.write({ fileId, index, data }, options);
    isCertain = true;
    if (index === 0) first = answer;
  };
  try {
    return await work(begun, { segmentBytes, maxBytes, write }, () => first);
  } catch (error) {
    // A segment that may still be on its way to the store is left to the sweep.
    // The sweep removes an upload that cannot be removed now.
    if (isCertain)
      await cleanUp()
        .then((options) => receiver.abandon({ fileId, isRefused: isRefusal(error) }, options))
        .catch(() => undefined);
    throw error;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && (error.kind === 'invalid_argument' || error.kind === 'too_large');
