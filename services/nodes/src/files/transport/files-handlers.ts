import { apiCaller } from '@catchment/access';
import { FilesServiceService } from '@catchment/contracts/files';
import { placesFor } from '@catchment/fair-queue';
import { admitted, type Handlers } from '@catchment/grpc';
import { done, forServices } from '../../transport/answers.ts';
import { nodeDocument } from '../../views/index.ts';
import type { FileDeps } from '../usecases/file-store.ts';
import { getFile, readSegment } from '../usecases/read-file.ts';
import { abandonUpload, beginUpload, finishUpload, writeSegment } from '../usecases/upload-file.ts';

/** Of 512 KiB each, on their way at a time. */
const SEGMENTS = 64;

/** FilesService: translates, calls one use case, translates; so many segments at a time. */
export function filesHandlers(deps: FileDeps): Handlers<FilesServiceService> {
  const segments = placesFor('TOO_MANY_SEGMENTS', SEGMENTS);
  return admitted(FilesServiceService, plainHandlers(deps), segments, { writeSegment: 1, readSegment: 1 });
}

const plainHandlers = (deps: FileDeps): Handlers<FilesServiceService> => ({
  beginUpload: (request, { caller }) => beginUpload(deps, apiCaller(caller), request),
  writeSegment: (request, { caller }) => writeSegment(deps, apiCaller(caller), request),
  finishUpload: async (request, { caller }) => {
    const { attr, expiry } = request;
    return nodeDocument(deps, caller, await finishUpload(deps, apiCaller(caller), request), { attr, expiry });
  },
  abandonUpload: ({ fileId }, { caller }) => done(abandonUpload(deps, apiCaller(caller), fileId)),
  ...forServices<Pick<Handlers<FilesServiceService>, 'getFile' | 'readSegment'>>({
    getFile: ({ nodeId }) => getFile(deps, nodeId),
    readSegment: async (request) => ({ data: await readSegment(deps, request) }),
  }),
});
