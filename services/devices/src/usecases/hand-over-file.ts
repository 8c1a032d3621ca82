import type {
  BeginFileRequest,
  BeginFileResponse,
  FinishFileRequest,
  WriteFileSegmentRequest,
} from '@catchment/contracts/devices';
import { DomainError, invalid, notFound, notPermitted, tooLarge } from '@catchment/errors';
import { apiCaller, type CallContext, checkModify, checkPermission, scopeOf } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import type { Database } from '@catchment/pg';
import { isNamedZip, withoutGz } from '../archive/members.ts';
import { recordEvents, type SourceEvent } from '../bus/recorded-event.ts';
import type { NodesClient } from '../clients/nodes-client.ts';
import { FILE_SOURCE_ATTRIBUTES, type FileSource, ignored, parserFor, shownName } from '../domain/source-file.ts';
import { completeFile, countHeld, dropComing, findFile, insertFile, saveSegment } from '../store/pg-files.ts';
import { ignoredFile } from './process-file.ts';
import { closedSources } from './registry.ts';

export type HandOverDeps = {
  readonly nodes: Pick<NodesClient, 'document' | 'closed' | 'parametersOf'>;
  readonly database: Database;
  readonly namespace: string;
  readonly now: () => number;
};
type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>;

/** Semantics 20. */
const FILE_MAX_BYTES = 100 * 1024 * 1024;
/** What one call carries and one row holds. */
const SEGMENT_BYTES = 256 * 1024;
/** Of one account, coming or waiting: each may take FILE_MAX_BYTES of the store. */
const HELD_MAX = 20;
const NAME_CHARACTERS = 255;
const SOURCE_CLASS = 'source.data.TextParser';

/**
 * A file begins to come for a text source.
 * @throws DomainError permission_denied, not_found, invalid_argument (the node is none; the name matches nothing of it),
 *   resource_exhausted
 */
export async function beginFile(deps: HandOverDeps, request: BeginFileRequest, call: Call): Promise<BeginFileResponse> {
  const caller = apiCaller(call.caller);
  checkModify(caller);
  const { database, nodes, namespace, now } = deps;
  const fileName = request.fileName.slice(0, NAME_CHARACTERS);
  // Who may not see the node hears nothing of it.
  const source = (await nodes.document(request.nodeRef, FILE_SOURCE_ATTRIBUTES, call)) as FileSource;
  if (source._class !== `${namespace}.models.node.${SOURCE_CLASS}`) {
    throw invalid('NODE_KIND', `node: must be a source of delimited text (${SOURCE_CLASS})`);
  }
  await checkMayWrite(deps, source, call);
  if (!isNamedZip(fileName) && !parserFor(source, withoutGz(fileName), fileName)) {
    const event = { source: eventSource(source), level: 'DEBUG' as const, message: ignored(fileName), timeMs: now() };
    await database.transaction((tx) => recordEvents(tx, [event]));
    throw ignoredFile();
  }
  if ((await countHeld(database, caller.ownerId)) >= HELD_MAX)
    throw new DomainError('resource_exhausted', 'TOO_MANY_FILES', `At most ${HELD_MAX} files may wait at once`);
  const fileId = newObjectId(now());
  await insertFile(database, { fileId, fileName, source, segmentBytes: SEGMENT_BYTES });
  return { fileId, segmentBytes: SEGMENT_BYTES, maxBytes: FILE_MAX_BYTES };
}

/** A file brings data to all parameters of its source, so none of them may be closed to who hands it over. */
async function checkMayWrite({ nodes }: HandOverDeps, source: FileSource, call: Call): Promise<void> {
  const caller = apiCaller(call.caller);
  checkPermission(caller, source.workspaceId, 'EDIT_DATA');
  const closed = await closedSources({ nodes }, scopeOf(caller), call);
  if (closed.length === 0) return;
  const own = await nodes.parametersOf({ sourceId: source._id, ownerId: source.ownerId }, call.deadlineMs);
  if (own.some((nodeId) => closed.includes(nodeId))) throw notPermitted();
}

/** Stores a segment. @throws DomainError not_found when the file comes no more, invalid_argument, too_large */
export async function writeFileSegment(
  { database }: Pick<HandOverDeps, 'database'>,
  { fileId, index, data }: WriteFileSegmentRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<void> {
  const { ownerId } = apiCaller(caller);
  if (data.length === 0 || data.length > SEGMENT_BYTES)
    throw invalid('BAD_SEGMENT', `data: must have 1 to ${SEGMENT_BYTES} bytes`);
  if (index * SEGMENT_BYTES + data.length > FILE_MAX_BYTES) throw tooLarge();
  if (!(await saveSegment(database, { fileId, ownerId, segment: index, bytes: data }))) throw notFound();
}

/**
 * All of a file is stored: from here on it is read, whatever becomes of the process. May be repeated.
 * @throws DomainError not_found, invalid_argument
 */
export async function finishFile(
  { database, now }: Pick<HandOverDeps, 'database' | 'now'>,
  { fileId, size }: FinishFileRequest,
  call: Pick<Call, 'caller'>,
): Promise<void> {
  const { ownerId, username } = apiCaller(call.caller);
  if (size === 0) throw invalid('BODY_MISSING', 'body: must be sent');
  const file = await findFile(database, ownerId, fileId);
  if (!file) throw notFound();
  if (file.isComplete) return;
  const message = `Acquired '${shownName(file.fileName)}' [${size} bytes]`;
  const event = { source: eventSource(file.source), level: 'DEBUG' as const, username, message, timeMs: now() };
  await database.transaction(async (tx) => {
    const segments = Math.ceil(size / SEGMENT_BYTES);
    if (!(await completeFile(tx, { fileId, sizeBytes: size, segments })))
      throw invalid('BAD_SIZE', 'size: must be that of all segments');
    await recordEvents(tx, [event]);
  });
}

/** One that is over already is no error. */
export const abandonFile = (
  { database }: Pick<HandOverDeps, 'database'>,
  fileId: string,
  { caller }: Pick<Call, 'caller'>,
) => dropComing(database, apiCaller(caller).ownerId, fileId);

export const eventSource = ({ _id: sourceId, ownerId, workspaceId }: FileSource): SourceEvent['source'] => ({
  ...{ sourceId, ownerId, workspaceId },
  sourceClass: SOURCE_CLASS,
});
