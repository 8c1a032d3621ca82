import { appendOutbox } from '@catchment/pg';
import { eventRecorded, type StoreDeps } from '../../changes/index.ts';
import { nodesById } from '../../nodes/index.ts';

/** Writes a WARNING event about a report that could not be made as its template says; of a Report that is gone none. */
export async function warnOfReport(
  { database, now }: Pick<StoreDeps, 'database' | 'now'>,
  { ownerId, nodeId, problem }: { readonly ownerId: string; readonly nodeId: string; readonly problem: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    const [node] = await nodesById(tx, ownerId, [nodeId]);
    if (!node) return;
    const about = { nodeId, nodeClass: node.class, workspaceId: node.workspaceId } as const;
    const event = { ...about, timeMs: now(), message: problem, username: 'System' } as const;
    await appendOutbox(tx, [eventRecorded(ownerId, { ...event, level: 'WARNING', eventType: 'NOTIFICATION' })]);
  });
}
