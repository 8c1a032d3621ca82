import { type Caller, scopeOf, serviceCaller, usernameOf } from '@catchment/access';
import { FilesServiceService } from '@catchment/contracts/files';
import { slotsFor } from '@catchment/fair-queue';
import { admitted, type Handlers } from '@catchment/grpc';
import { done, forServices } from '../../transport/answers.ts';
import { nodeDocument } from '../../views/index.ts';
import type { FileDeps } from '../usecases/file-store.ts';
import type { DayCounter, FileList } from '../usecases/ports.ts';
import { getFile, readSegment } from '../usecases/read-file.ts';
import { abandonUpload, beginUpload, finishUpload, type Uploader, writeSegment } from '../usecases/upload-file.ts';

/** This many segments of 512 KiB each are on their way at a time. */
const SEGMENTS = 64;

/** FilesService: translates, calls one use case, translates; this many segments at a time. */
export function filesHandlers(files: FileList & DayCounter, deps: FileDeps): Handlers<FilesServiceService> {
  const segments = slotsFor('TOO_MANY_SEGMENTS', SEGMENTS);
  return admitted(FilesServiceService, plainHandlers(files, deps), segments, { writeSegment: 1, readSegment: 1 });
}

const plainHandlers = (files: FileList & DayCounter, deps: FileDeps): Handlers<FilesServiceService> => ({
  beginUpload: (request, { caller }) => beginUpload(files, deps, uploaderOf(caller, request), request),
  writeSegment: (request, { caller }) => writeSegment(files, deps, uploaderOf(caller, request), request),
  finishUpload: async (request, { caller }) => {
    const { attr, expiry } = request;
    const uploader = uploaderOf(caller, request);
    return nodeDocument(deps, uploader, await finishUpload(files, deps, uploader, request), { attr, expiry });
  },
  abandonUpload: (request, { caller }) => done(abandonUpload(files, deps, uploaderOf(caller, request), request.fileId)),
  ...forServices<Pick<Handlers<FilesServiceService>, 'getFile' | 'readSegment'>>({
    getFile: ({ nodeId }) => getFile(deps, nodeId),
    readSegment: async (request) => ({ data: await readSegment(deps, request) }),
  }),
});

/** Whoever calls the API, or the devices service for a source of the account that it names. */
function uploaderOf(caller: Caller, request: { readonly ownerId?: string | undefined }): Uploader {
  if (caller.kind === 'api') return caller;
  serviceCaller(caller, 'devices');
  const { ownerId } = scopeOf(caller, request.ownerId);
  const username = usernameOf(caller);
  return {
    kind: 'api',
    ownerId,
    userId: '',
    username,
    permission: 'MODIFY',
    accessLevel: 'ACCOUNT',
    isTransport: true,
  };
}
