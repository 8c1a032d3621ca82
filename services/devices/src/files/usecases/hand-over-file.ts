import {
  apiCaller,
  checkModify,
  checkPermission,
  checkWorkspace,
  scopeOf,
  serviceCaller,
  usernameOf,
} from '@catchment/access';
import type {
  AbandonFileRequest,
  BeginFileRequest,
  BeginFileResponse,
  FinishFileRequest,
  WriteFileSegmentRequest,
} from '@catchment/contracts/devices';
import { DomainError, invalid, notFound, notPermitted, tooLarge } from '@catchment/errors';
import type { CallContext } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { ignoredFile, isNamedZip, takesFiles, withoutGz } from '../../reading/index.ts';
import { pushed } from '../../schedules/index.ts';
import {
  acquisitions,
  closedSources,
  type FileSource,
  ignored,
  type Nodes,
  parserFor,
  type SourceEvent,
  shownName,
} from '../../sources/index.ts';
import type { Store } from './ports.ts';

export type HandOverDeps = {
  readonly nodes: Pick<Nodes, 'fileSource' | 'closed' | 'parametersOf'>;
  readonly store: Store;
  readonly now: () => number;
};
type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>;

/** See docs/reference/limits.md. */
export const FILE_MAX_BYTES = 100 * 1024 * 1024;
export const IMPORT_MAX_BYTES = 250 * 1024 * 1024;
/** A call and a row carry this many bytes. */
export const SEGMENT_BYTES = 256 * 1024;
/** One account has at most this many files arriving or waiting: each may take FILE_MAX_BYTES of the store. */
export const HELD_MAX = 20;
export const NAME_CHARACTERS = 255;
const SOURCE_CLASS = 'source.data.TextParser';

/**
 * Begins the upload of a file for a text source.
 * @throws DomainError permission_denied, not_found, invalid_argument (the node is none; the name matches nothing of it),
 *   resource_exhausted
 */
export async function beginFile(deps: HandOverDeps, request: BeginFileRequest, call: Call): Promise<BeginFileResponse> {
  const caller = apiCaller(call.caller);
  checkModify(caller);
  const { store, nodes, now } = deps;
  const fileName = request.fileName.slice(0, NAME_CHARACTERS);
  const { class: name, source: asStored } = await nodes.fileSource(request.nodeRef, call);
  const source: FileSource = { ...asStored, sourceClass: name };
  if (!name.startsWith('source.data.') || !takesFiles(name))
    throw invalid('NODE_KIND', 'node: must be a source of delimited text or JTS files');
  await checkMayWrite(deps, source, call);
  if (!isNamedZip(fileName) && !parserFor(source, withoutGz(fileName), fileName)) {
    const event = { source: eventSource(source), level: 'DEBUG' as const, message: ignored(fileName), timeMs: now() };
    await store.transaction((tx) => tx.recordEvents([event]));
    throw ignoredFile();
  }
  if ((await store.countHeld(caller.ownerId)) >= HELD_MAX)
    throw new DomainError(
      'resource_exhausted',
      'TOO_MANY_FILES',
      `At most ${HELD_MAX} files of an account may wait at once; try again later`,
    );
  const fileId = newObjectId(now());
  await store.insertFile({ fileId, fileName, source, segmentBytes: SEGMENT_BYTES });
  return { fileId, segmentBytes: SEGMENT_BYTES, maxBytes: FILE_MAX_BYTES };
}

/** A file may write to every parameter of its source, so none of them may be closed to the caller. */
export async function checkMayWrite({ nodes }: HandOverDeps, source: FileSource, call: Call): Promise<void> {
  const caller = apiCaller(call.caller);
  checkPermission(caller, source.workspaceId, 'EDIT_DATA');
  const closed = await closedSources({ nodes }, scopeOf(caller), call);
  if (closed.length === 0) return;
  const parameters = await nodes.parametersOf({ sourceId: source._id, ownerId: source.ownerId }, call.deadlineMs);
  if (parameters.some((nodeId) => closed.includes(nodeId))) throw notPermitted();
}

/**
 * Finds the file of an upload step. The caller of each step must be allowed to write to the Workspace; the gateway takes the steps of what
 * was pushed, and names the account.
 * @throws DomainError permission_denied, not_found
 */
export async function checkedFile(
  store: Store,
  { fileId, ownerId: ofPush = '' }: Step,
  { caller }: Pick<Call, 'caller'>,
) {
  if (caller.kind === 'service') serviceCaller(caller, 'gateway');
  else checkModify(caller);
  const scope = scopeOf(caller, ofPush);
  const file = await store.findFile(scope.ownerId, fileId);
  if (!file) throw notFound();
  if (caller.kind === 'api') {
    checkWorkspace(scope, file.source.workspaceId);
    checkPermission(caller, file.source.workspaceId, 'EDIT_DATA');
  }
  return { ...file, ownerId: scope.ownerId };
}

/** @param ownerId named by services alone */
type Step = { readonly fileId: string; readonly ownerId?: string | undefined };

/** Stores a segment. @throws DomainError permission_denied, not_found when the upload is over, invalid_argument, too_large */
export async function writeFileSegment(
  { store }: Pick<HandOverDeps, 'store'>,
  request: WriteFileSegmentRequest,
  call: Pick<Call, 'caller'>,
): Promise<void> {
  const { fileId, index, data } = request;
  const { ownerId, source } = await checkedFile(store, request, call);
  const maxBytes = source.importing ? IMPORT_MAX_BYTES : FILE_MAX_BYTES;
  if (data.length === 0 || data.length > SEGMENT_BYTES)
    throw invalid('BAD_SEGMENT', `data: must have 1 to ${SEGMENT_BYTES} bytes`);
  if (index * SEGMENT_BYTES + data.length > maxBytes) throw tooLarge();
  if (!(await store.saveSegment({ fileId, ownerId, segment: index, bytes: data }))) throw notFound();
}

/**
 * Completes an upload: from here on the file is processed even if this process dies. May be repeated.
 * @throws DomainError permission_denied, not_found (also when the caller can no longer see the source), invalid_argument
 */
export async function finishFile(deps: HandOverDeps, request: FinishFileRequest, call: Call): Promise<void> {
  const { store, nodes, now } = deps;
  const { fileId, size } = request;
  const file = await checkedFile(store, request, call);
  if (size === 0) throw invalid('BODY_MISSING', 'body: must be sent');
  if (file.isComplete) return;
  // The source may have moved, or been closed to the caller, during the upload.
  if (call.caller.kind === 'api')
    await checkMayWrite(deps, (await nodes.fileSource(file.source._id, call)).source, call);
  const message = `Acquired '${shownName(file.fileName)}' [${size} bytes]`;
  const username = usernameOf(call.caller);
  const event = { source: eventSource(file.source), level: 'DEBUG' as const, username, message, timeMs: now() };
  await store.transaction(async (tx) => {
    const segments = Math.ceil(size / SEGMENT_BYTES);
    if (!(await tx.completeFile({ fileId, sizeBytes: size, segments })))
      throw invalid('BAD_SIZE', 'size: must be that of all segments');
    await tx.recordEvents([event]);
    await pushed(tx, file.source._id, now());
  });
  const { pushedBy } = file.source;
  if (pushedBy) acquisitions.add({ transport: pushedBy, outcome: 'ok' });
}

/** An upload that is over already is no error. @throws DomainError permission_denied, not_found (out of sight) */
export async function abandonFile(
  { store }: Pick<HandOverDeps, 'store'>,
  request: AbandonFileRequest,
  call: Pick<Call, 'caller'>,
): Promise<void> {
  const { ownerId } = scopeOf(call.caller, request.ownerId);
  if (!(await store.findFile(ownerId, request.fileId))) return;
  const { source, isComplete } = await checkedFile(store, request, call);
  await store.dropComing(ownerId, request.fileId);
  if (source.pushedBy && !isComplete)
    acquisitions.add({ transport: source.pushedBy, outcome: request.isRefused ? 'refused' : 'failed' });
}

export const eventSource = ({
  _id: sourceId,
  ownerId,
  workspaceId,
  sourceClass,
}: FileSource): SourceEvent['source'] => ({
  sourceId,
  ownerId,
  workspaceId,
  sourceClass: sourceClass ?? SOURCE_CLASS,
});
