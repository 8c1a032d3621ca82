import { AttemptEnded, AttemptKind } from '@catchment/contracts/alarms';
import { countOf } from '@catchment/number-format';
import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import type { Cause } from '../../changes/index.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, type StoredNode } from '../../domain/classes/node.ts';
import { childrenOf, type NewNode, removeBranches } from '../../nodes/index.ts';
import { checkFilesOfDay, checkType, oldestOver } from '../domain/received-file.ts';
import type { FileDeps } from './file-store.ts';
import type { DayCounter } from './ports.ts';

/** A transport has brought a file: counts it as what is pushed (docs/reference/sources.md#attributes). */
export const countReceived = (
  { saveCounters }: DayCounter,
  tx: Queryable,
  source: StoredNode,
  nowMs: number,
): Promise<void> => saveCounters(tx, [{ nodeId: source.nodeId, count: 1, lastMs: nowMs, lastRows: 1 }]);

/** Raises the overloadAlarm of a source that has just refused a file because of its daily limit. */
export async function refusedByLimit(
  { countRefusedFile }: DayCounter,
  { database }: Pick<FileDeps, 'database'>,
  source: Source,
  timeMs: number,
) {
  await database.transaction(async (tx) => {
    const refused = await countRefusedFile(tx, source.nodeId);
    if (refused > 0) await appendOutbox(tx, [filesReported(source, `${countOf(refused, 'file')} discarded`, timeMs)]);
  });
}

type Source = Pick<StoredNode, 'nodeId' | 'ownerId'>;

const filesReported = ({ nodeId, ownerId }: Source, failure: string, timeMs: number): OutboxMessage => ({
  subject: 'alarms.attempt.ended.v1',
  data: AttemptEnded.encode({
    nodeId,
    ownerId,
    sourceId: nodeId,
    failure,
    timeMs,
    kind: AttemptKind.ATTEMPT_KIND_FILES,
  }).finish(),
});

/** Checks the limit of a day. The first file of a day ends the overload of another day. @throws DomainError resource_exhausted */
async function checkDay({ countFile }: DayCounter, tx: Queryable, source: StoredNode, timeMs: number): Promise<void> {
  const files = await countFile(tx, source.nodeId, timeMs);
  checkFilesOfDay(files);
  if (files === 1) await appendOutbox(tx, [filesReported(source, '', timeMs)]);
}

/**
 * Applies the rules of an attachment source to a new attachment, already stored: files of other types are refused, and the oldest ones go
 * when there are too many (docs/reference/node-tree.md#attributes-of-classes).
 * @throws DomainError invalid_argument, resource_exhausted after the files of a day
 */
export async function receiveAttachment(
  days: DayCounter,
  tx: Queryable,
  source: StoredNode,
  made: NewNode,
  cause: Cause,
): Promise<void> {
  const cls = nodeClass(source.class);
  checkType(attributeOf(cls, source.config, 'fileTypes') as readonly string[], made.config.file?.name ?? '');
  await checkDay(days, tx, source, cause.timeMs);
  const max = attributeOf(cls, source.config, 'maxAttachments') as number;
  const children = await childrenOf(tx, source.ownerId, source.nodeId);
  await removeBranches(tx, source.ownerId, oldestOver(children, max), cause);
}
