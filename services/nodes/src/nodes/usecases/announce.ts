import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import { nodeEvent } from '../../changes/index.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { isEnabled, type StoredNode } from '../../domain/classes/node.ts';
import { refreshShown } from '../../shown/index.ts';
import { createdMessage, movedMessage, updateMessages } from '../domain/event-texts.ts';
import { nodeConfigs } from '../store/node-configs-query.ts';
import { branchOf } from '../store/nodes-query.ts';
import type { NodeChange } from './deps.ts';
import { nodeChanged } from './node-messages.ts';
import type { Announcements, NewNode } from './ports.ts';

/** Does everything that follows new nodes, in their transaction: events, messages, the list's revision. */
export async function announceCreated(
  due: Announcements,
  change: NodeChange,
  ownerId: string,
  nodes: readonly NewNode[],
): Promise<void> {
  const { tx, deps, cause } = change;
  const configs = await nodeConfigs(tx, idsOf(nodes), deps.names);
  const messages = nodes.flatMap((node) => {
    const config = configs.get(node.nodeId);
    const event = nodeEvent(node, createdMessage(node.name), cause);
    return config ? [nodeChanged(config, true, cause), event] : [event];
  });
  await appendOutbox(tx, messages);
  if (nodes.some(({ config }) => config.coordinateSourceId)) await announceFollowed(due, change, ownerId, idsOf(nodes));
  await due.touchOwners(tx, [ownerId], 'configuration');
}

/** The node's update is stored. */
export type Updated = {
  readonly before: StoredNode;
  readonly after: Omit<StoredNode, 'revision'>;
  /** These public names changed, and `parentId` of a moved node. */
  readonly changed: readonly string[];
};

/**
 * Does everything that follows an update of nodes of one account, in its transaction: what is shown of them, events, messages, new
 * paths below, the list's revision.
 * @param pathsBefore of nodes that have moved, by id
 */
export async function announceUpdated(
  due: Announcements,
  change: NodeChange,
  updated: readonly Updated[],
  pathsBefore: ReadonlyMap<string, { readonly path: string }> = new Map(),
): Promise<void> {
  const { tx, deps, cause } = change;
  const [first] = updated;
  if (!first) return;
  const nodeIds = updated.map(({ after }) => after.nodeId);
  await refreshShown(tx, nodeIds);
  const configs = await nodeConfigs(tx, nodeIds, deps.names);
  const messages = updated.flatMap(({ before, after, changed }): OutboxMessage[] => {
    const config = configs.get(after.nodeId);
    const others = changed.filter((name) => name !== 'parentId');
    const texts = updateMessages(others, before, { name: after.name, isEnabled: isEnabled(after.config) });
    const from = pathsBefore.get(after.nodeId);
    if (from && config) texts.push(movedMessage(from.path, config.path));
    const events = texts.map((text) => nodeEvent(after, text, cause));
    return config ? [nodeChanged(config, false, cause), ...events] : events;
  });
  await appendOutbox(tx, messages);
  for (const { after, changed } of updated)
    if (nodeClass(after.class).kind !== 'parameter' && (changed.includes('name') || changed.includes('parentId')))
      await announcePaths(due, change, after.nodeId);
  if (updated.some(({ changed }) => changed.some((name) => OF_COORDINATES.has(name))))
    await announceFollowed(due, change, first.after.ownerId, nodeIds);
  await due.touchOwners(tx, [first.after.ownerId], 'configuration');
}

const OF_COORDINATES: ReadonlySet<string> = new Set(['coordinateSourceId', 'coordinateSeries']);

/**
 * The sources of Locations say who follows them: they are announced at once, not by the next pass over what is due.
 * @param announced nodes whose configuration is announced already
 */
async function announceFollowed(
  due: Announcements,
  change: NodeChange,
  ownerId: string,
  announced: readonly string[],
): Promise<void> {
  const known = new Set(announced);
  const nodeIds = (await due.takeAnnouncements(change.tx, ownerId, BATCH)).filter((nodeId) => !known.has(nodeId));
  await announceConfigs(change, nodeIds, due.renewRevisions);
}

/** Nodes whose configuration is announced in one go: a branch may have tens of thousands. */
const BATCH = 500;

/** The full path of everything below a renamed node is another; other services keep that of series and sources. */
async function announcePaths(due: Announcements, change: NodeChange, nodeId: string): Promise<void> {
  const below = (await branchOf(change.tx, nodeId)).filter((node) => {
    const { kind } = nodeClass(node.class);
    return node.nodeId !== nodeId && kind !== 'group' && kind !== 'workspace';
  });
  await announceConfigs(change, idsOf(below), due.renewRevisions);
}

/**
 * Sends the other services the present configuration of nodes.
 * @param renew gives some of them their new revisions first
 */
export async function announceConfigs(
  { tx, deps, cause }: NodeChange,
  nodeIds: readonly string[],
  renew: (tx: Queryable, nodeIds: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < nodeIds.length; from += BATCH) {
    const ids = nodeIds.slice(from, from + BATCH);
    await renew(tx, ids);
    const configs = await nodeConfigs(tx, ids, deps.names);
    await appendOutbox(
      tx,
      [...configs.values()].map((config) => nodeChanged(config, false, cause)),
    );
  }
}

const idsOf = (nodes: readonly { readonly nodeId: string }[]): string[] => nodes.map(({ nodeId }) => nodeId);
