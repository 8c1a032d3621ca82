import { type ApiCaller, checkModify, checkPermission, checkWorkspace, scopeOf } from '@catchment/access';
import type {
  BeginUploadRequest,
  BeginUploadResponse,
  FinishUploadRequest,
  WriteSegmentRequest,
} from '@catchment/contracts/files';
import { DomainError, invalid, notFound, tooLarge, unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { checkContainment } from '../../domain/classes/containment.ts';
import { isEnabled, type StoredNode } from '../../domain/classes/node.ts';
import type { StoredFile } from '../../domain/classes/stored-file.ts';
import { findParent } from '../../nodes/index.ts';
import { makeNode } from '../../tree/index.ts';
import type { ViewedNode } from '../../views/index.ts';
import { fileNameOf, MAX_FILE_BYTES, SEGMENT_BYTES, segmentsOf } from '../domain/file.ts';
import { mayHavePreview, mimeTypeOf } from '../domain/mime-type.ts';
import { comingFile, countComing } from '../store/files-query.ts';
import { type FileDeps, IDLE_MS, objectName, previewName, removeFile } from './file-store.ts';
import type { DayCounter, FileList } from './ports.ts';
import { countReceived, receiveAttachment, refusedByLimit } from './receive-attachment.ts';

/** This many files of one account arrive at once: each may hold MAX_FILE_BYTES of the store. */
const MAX_COMING = 50;
const MAX_PREVIEW_BYTES = 1024 * 1024;

/** The uploader is a caller of the API, or the transport of an attachment source, which may put files there alone. */
export type Uploader = ApiCaller & { readonly isTransport?: true };

/**
 * @throws DomainError not_found, permission_denied, invalid_argument (the node holds no attachments), resource_exhausted;
 * failed_precondition for a transport whose source is none, is disabled or lies in a template
 */
export async function beginUpload(
  list: FileList,
  deps: FileDeps,
  caller: Uploader,
  { nodeRef }: BeginUploadRequest,
): Promise<BeginUploadResponse> {
  checkModify(caller);
  const { database } = deps;
  const workspaceId = await checkPlace(database, caller, nodeRef);
  if ((await countComing(database, caller.ownerId)) >= MAX_COMING)
    throw new DomainError('resource_exhausted', 'TOO_MANY_UPLOADS', `At most ${MAX_COMING} uploads at once`);
  const nowMs = deps.now();
  const fileId = newObjectId(nowMs);
  const dueMs = nowMs + IDLE_MS;
  await list.insertFile(database, { fileId, ownerId: caller.ownerId, workspaceId, segmentBytes: SEGMENT_BYTES, dueMs });
  return { fileId, segmentBytes: SEGMENT_BYTES, maxBytes: MAX_FILE_BYTES };
}

/** @returns the workspace */
async function checkPlace(on: Queryable, caller: Uploader, nodeRef: string): Promise<string> {
  const { node, line } = await findParent(on, scopeOf(caller), nodeRef);
  if (caller.isTransport) checkReceiver(node, line[0]?.kind === 'templates');
  checkPermission(caller, node.workspaceId, 'CONFIGURE');
  try {
    checkContainment('attachment', line);
    return node.workspaceId;
  } catch (error) {
    // The parent is named by the path here.
    if (error instanceof DomainError && error.reason === 'INVALID_PARENT')
      throw invalid(error.reason, error.message.replace(/^parentId/, 'id'));
    throw error;
  }
}

/** @throws DomainError failed_precondition */
function checkReceiver({ class: name, config }: StoredNode, isInTemplate: boolean): void {
  if (nodeClass(name).kind !== 'attachmentSource' || isInTemplate || !isEnabled(config))
    throw new DomainError('failed_precondition', 'NO_ATTACHMENT_SOURCE', 'id: must be an enabled attachment source');
}

/**
 * Returns the unfinished upload of a step. The caller of each step needs the same permissions as for `beginUpload`.
 * @throws DomainError permission_denied, not_found
 */
async function checkedUpload(on: Queryable, caller: ApiCaller, fileId: string) {
  checkModify(caller);
  const coming = await comingFile(on, caller.ownerId, fileId);
  if (!coming) throw notFound();
  if (coming.workspaceId !== null) {
    checkWorkspace(scopeOf(caller), coming.workspaceId);
    checkPermission(caller, coming.workspaceId, 'CONFIGURE');
  }
  return coming;
}

/** Stores a segment. @throws DomainError not_found when the upload is over, too_large, unavailable */
export async function writeSegment(
  list: FileList,
  deps: FileDeps,
  caller: ApiCaller,
  { fileId, index, data }: WriteSegmentRequest,
): Promise<{ isPicture: boolean }> {
  await checkedUpload(deps.database, caller, fileId);
  if (data.length === 0 || data.length > SEGMENT_BYTES)
    throw invalid('BAD_SEGMENT', `data: must have 1 to ${SEGMENT_BYTES} bytes`);
  if (index >= segmentsOf(MAX_FILE_BYTES, SEGMENT_BYTES)) throw tooLarge();
  // Known before it is stored: whatever happens in between, the sweep finds it.
  const isComing = await list.expectSegment(
    deps.database,
    { ownerId: caller.ownerId, fileId },
    index,
    deps.now() + IDLE_MS,
  );
  if (!isComing) throw notFound();
  await deps.objects.put(objectName(fileId, index), data);
  return { isPicture: index === 0 && (await mayHavePreview(data)) };
}

/**
 * Makes the node of a file whose segments are all stored (docs/reference/attachments.md#upload).
 * @throws DomainError invalid_argument, not_found (the parent; the upload is over), permission_denied
 */
export async function finishUpload(
  files: FileList & DayCounter,
  deps: FileDeps,
  caller: Uploader,
  request: FinishUploadRequest,
): Promise<ViewedNode> {
  const { fileId, nodeRef, name, description, preview } = request;
  const { ownerId } = caller;
  const coming = await checkedUpload(deps.database, caller, fileId);
  if (request.size === 0) throw invalid('EMPTY_FILE', 'file: must not be empty');
  if (coming.segments !== segmentsOf(request.size, coming.segmentBytes))
    throw invalid('BAD_SIZE', 'size: must be that of all segments');
  if (preview.length > MAX_PREVIEW_BYTES) throw invalid('BAD_PREVIEW', `preview: at most ${MAX_PREVIEW_BYTES} bytes`);
  const start = await deps.objects.get(objectName(fileId, 0));
  if (!start) throw unavailable('FILE_STORE_INCOMPLETE');
  const fileName = fileNameOf(request.fileName);
  const file: StoredFile = {
    id: fileId,
    size: request.size,
    mimeType: await mimeTypeOf(start, fileName),
    name: fileName,
    previewSize: preview.length,
  };
  if (preview.length > 0) await deps.objects.put(previewName(fileId), preview);
  const body = {
    parentId: nodeRef,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
  let source: StoredNode | undefined;
  const making = makeNode(deps, caller, {
    cls: nodeClass('Attachment'),
    body,
    config: { file },
    wantedName: fileName || 'Attachment',
    within: async (tx, node, parent) => {
      // Swept away in this moment, or finished by a repeated call.
      if (!(await files.keepFile(tx, ownerId, fileId, request.size))) throw notFound();
      if (!parent || nodeClass(parent.class).kind !== 'attachmentSource') return;
      source = parent;
      await receiveAttachment(files, tx, parent, node, { timeMs: node.createdMs, username: caller.username });
      if (caller.isTransport) await countReceived(files, tx, parent, node.createdMs);
    },
  });
  return making.catch(async (error: unknown) => {
    if (source && error instanceof DomainError && error.reason === 'DAILY_LIMIT')
      await refusedByLimit(files, deps, source, deps.now());
    throw error;
  });
}

/**
 * Removes everything of an upload. An upload that is over already is no error.
 * @throws DomainError permission_denied, not_found (out of sight)
 */
export async function abandonUpload(list: FileList, deps: FileDeps, caller: ApiCaller, fileId: string): Promise<void> {
  if (!(await comingFile(deps.database, caller.ownerId, fileId))) return;
  await checkedUpload(deps.database, caller, fileId);
  const dropped = await list.dropComing(deps.database, caller.ownerId, fileId);
  // The sweep removes it if this fails.
  if (dropped) await removeFile(list, deps, dropped);
}
