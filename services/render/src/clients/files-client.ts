import type { FilesServiceService } from '@catchment/contracts/files';
import { invalid } from '@catchment/errors';
import type { GrpcClient } from '@catchment/grpc';
import type { Files } from '../usecases/ports.ts';

/** docs/reference/limits.md, with room. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Files of the nodes service, read for another of our services. */
export function filesClient(files: Pick<GrpcClient<FilesServiceService>, 'readSegment'>): Files {
  return {
    async read({ fileId, size, segmentBytes }, { token, deadlineMs, signal }) {
      if (size > MAX_BYTES || segmentBytes < 1) throw invalid('BAD_FILE', `size: must be at most ${MAX_BYTES}`);
      const bytes = new Uint8Array(size);
      for (let index = 0; index * segmentBytes < size; index += 1) {
        const { data } = await files.readSegment({ fileId, index, preview: false }, { token, deadlineMs, signal });
        bytes.set(data, index * segmentBytes);
      }
      return bytes;
    },
  };
}
