import { appendOutbox } from '@catchment/pg';
import { eventRecorded, type StoreDeps } from '../../changes/index.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import type { SentNotes } from './ports.ts';

/** Writes a WARNING event about a custom text that cannot be evaluated, once for all texts about the transition. */
export async function warnOfExpression(
  { takeEvents }: SentNotes,
  { database, now }: Pick<StoreDeps, 'database' | 'now'>,
  { ownerId, nodeId, timeMs }: { readonly ownerId: string; readonly nodeId: string; readonly timeMs: number },
  { class: nodeClass, workspaceId }: Pick<StoredNode, 'class' | 'workspaceId'>,
  problem: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const nowMs = now();
    const isNew = (await takeEvents(tx, [`${nodeId} ${timeMs} expression`], nowMs)).size > 0;
    if (!isNew) return;
    const message = `Expression cannot be evaluated: ${problem}`;
    const event = { nodeId, nodeClass, workspaceId, timeMs: nowMs, message, username: 'System' } as const;
    await appendOutbox(tx, [eventRecorded(ownerId, { ...event, level: 'WARNING', eventType: 'NOTIFICATION' })]);
  });
}
