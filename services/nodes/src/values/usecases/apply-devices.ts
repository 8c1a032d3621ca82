import type { StoreDeps } from '../../changes/index.ts';
import { lockEdges, refreshShown } from '../../shown/index.ts';
import { type DevicesMessage, newestSessions } from '../domain/session.ts';
import type { SessionStore } from './ports.ts';

/**
 * Stores what the devices service reports of sessions and controls; a report older than the stored one changes nothing.
 */
export async function applyDevices(
  { saveSessions, endControls, touchOwners }: SessionStore,
  { database }: Pick<StoreDeps, 'database'>,
  messages: readonly DevicesMessage[],
): Promise<void> {
  const sessions = newestSessions(messages);
  const controls = messages.filter((message) => message.kind === 'control');
  if (sessions.length + controls.length === 0) return;
  const sourceIds = sessions.map(({ sourceId }) => sourceId);
  await database.transaction(async (tx) => {
    // The rows are locked in the order in which values are changed.
    await lockEdges(tx, [...new Set([...sourceIds, ...controls.map(({ nodeId }) => nodeId)])]);
    const owners = new Set([...(await saveSessions(tx, sessions)), ...(await endControls(tx, controls))]);
    await refreshShown(tx, sourceIds);
    await touchOwners(tx, [...owners], 'devices');
  });
}
