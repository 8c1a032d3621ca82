import { apiCaller, checkModify, checkPermission, may, scopeOf } from '@catchment/access';
import type { BeginFileResponse, BeginImportRequest, FinishImportRequest } from '@catchment/contracts/devices';
import { DomainError, invalid, notFound } from '@catchment/errors';
import type { CallContext } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import { type FileSource, shownName } from '../../sources/index.ts';
import { type Import, readImportFields } from '../domain/import.ts';
import {
  checkedFile,
  checkMayWrite,
  eventSource,
  type HandOverDeps,
  IMPORT_MAX_BYTES,
  NAME_CHARACTERS,
  SEGMENT_BYTES,
} from './hand-over-file.ts';

type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>;

/** One account has at most this many imports, arriving or waiting. */
const IMPORTS_MAX = 5;
/** A list shows this many imports of a user. */
const LISTED_MAX = 100;
/** Records can be imported to these; the write itself says which series are computed. */
const IMPORTABLE = /^(?:source\.data\.(?!Processor$)|point\.|location\.)/;

/**
 * Begins the import of a file (docs/reference/writing.md#imports).
 * @throws DomainError permission_denied, not_found, invalid_argument (the node), resource_exhausted
 */
export async function beginImport(
  deps: HandOverDeps,
  { nodeRef }: BeginImportRequest,
  call: Call,
): Promise<BeginFileResponse> {
  const caller = apiCaller(call.caller);
  checkModify(caller);
  const { store, nodes, now } = deps;
  const { class: sourceClass, source } = await nodes.fileSource(nodeRef, call);
  await checkMayImport(deps, { ...source, sourceClass }, call);
  if ((await store.countImports(caller.ownerId)) >= IMPORTS_MAX)
    throw new DomainError(
      'resource_exhausted',
      'TOO_MANY_FILES',
      `At most ${IMPORTS_MAX} imports of an account may wait at once; try again later`,
    );
  const fileId = newObjectId(now());
  const importing = { username: caller.username, format: 'AUTO', notifyOn: 'ALL_NEWER' } as const;
  const fileName = 'import';
  await store.insertFile({
    fileId,
    fileName,
    source: { ...source, sourceClass, importing },
    segmentBytes: SEGMENT_BYTES,
  });
  return { fileId, segmentBytes: SEGMENT_BYTES, maxBytes: IMPORT_MAX_BYTES };
}

async function checkMayImport(deps: HandOverDeps, source: FileSource, call: Call): Promise<void> {
  checkPermission(apiCaller(call.caller), source.workspaceId, 'EDIT_DATA');
  const { sourceClass = '' } = source;
  if (!IMPORTABLE.test(sourceClass) || /(?:Process|Rating)Point$/.test(sourceClass))
    throw invalid('NODE_KIND', 'id: must be a Location, a parameter or a data source that records are written to');
  if (sourceClass.startsWith('source.')) await checkMayWrite(deps, source, call);
}

/**
 * Completes the upload: from here on the file is imported even if this process dies.
 * @throws DomainError permission_denied, not_found, invalid_argument naming the field of the form
 */
export async function finishImport(deps: HandOverDeps, request: FinishImportRequest, call: Call): Promise<Import> {
  const { store, nodes, now } = deps;
  const caller = apiCaller(call.caller);
  const { fileId, size } = request;
  const { source: begun, isComplete } = await checkedFile(store, { fileId }, call);
  if (!begun.importing) throw notFound();
  if (size === 0) throw invalid('EMPTY_FILE', 'file: is empty');
  const given = readImportFields(request.settings);
  const fileName = request.fileName.slice(0, NAME_CHARACTERS) || 'import';
  if (!isComplete) {
    // The node may have moved, or been closed to the caller, during the upload.
    const { class: sourceClass, source: stored } = await nodes.fileSource(begun._id, call, given.parser);
    const { files: _files, ...rest } = stored;
    const importing = { ...given.settings, username: caller.username };
    const source: FileSource = { ...rest, ...given.source, sourceClass, importing };
    await checkMayImport(deps, source, call);
    const { ownerId, userId } = caller;
    const message = `Acquired '${shownName(fileName)}' [${size} bytes]`;
    const event = {
      source: eventSource(source),
      level: 'DEBUG' as const,
      username: caller.username,
      message,
      timeMs: now(),
    };
    await store.transaction(async (tx) => {
      if (!(await tx.completeFile({ fileId, sizeBytes: size, segments: Math.ceil(size / SEGMENT_BYTES) })))
        throw invalid('BAD_SIZE', 'size: must be that of all segments');
      await tx.insertImport({ ownedBy: { ownerId, userId }, file: { fileId, fileName, sizeBytes: size, source } });
      await tx.recordEvents([event]);
    });
  }
  return getImport(deps, fileId, call);
}

/** @throws DomainError not_found: there is none, or another user's */
export async function getImport(
  { store }: Pick<HandOverDeps, 'store'>,
  importId: string,
  { caller }: Pick<Call, 'caller'>,
): Promise<Import> {
  const { ownerId, userId } = apiCaller(caller);
  const found = await store.findImport({ ownerId, userId, importId: importId.toLowerCase() });
  if (!found || !isVisible(found, caller)) throw notFound();
  return found;
}

/** Imports of the user, newest first: those that go on, and those that ended within 7 days. */
export async function listImports(
  { store }: Pick<HandOverDeps, 'store'>,
  { caller }: Pick<Call, 'caller'>,
): Promise<readonly Import[]> {
  const { ownerId, userId } = apiCaller(caller);
  const all = await store.listImports({ ownerId, userId, limit: LISTED_MAX });
  return all.filter((importJob) => isVisible(importJob, caller));
}

/** A user has keys that may less than the one that has begun the import. */
function isVisible({ workspaceId }: Import, caller: Call['caller']): boolean {
  const { workspaceIds } = scopeOf(caller);
  return may(caller, workspaceId, 'EDIT_DATA') && (!workspaceIds || workspaceIds.includes(workspaceId));
}

/**
 * Cancels an import; records in the log stay, and an import that has ended stays as it is. @throws DomainError
 * permission_denied, not_found
 */
export async function cancelImport(
  { store, now }: Pick<HandOverDeps, 'store' | 'now'>,
  importId: string,
  call: Pick<Call, 'caller'>,
): Promise<Import> {
  const { username } = checkedModifier(call);
  const found = await getImport({ store }, importId, call);
  const { source } = found;
  await store.transaction(async (tx) => {
    if (!(await tx.endImport(found.importId, { state: 'CANCELLED', outcome: null }))) return;
    await tx.dropFile(found.importId);
    if (!source) return;
    const message = `Import of ${shownName(found.fileName)} cancelled`;
    const event = {
      source: eventSource(source),
      level: 'INFO',
      eventType: 'CONFIGURATION',
      username,
      message,
      timeMs: now(),
    } as const;
    await tx.recordEvents([event]);
  });
  return getImport({ store }, importId, call);
}

function checkedModifier({ caller }: Pick<Call, 'caller'>) {
  checkModify(caller);
  return apiCaller(caller);
}
