import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import {
  followedSources,
  rescheduledReports,
  type StoredChange,
  shownAttachmentParents,
  shownOtherwise,
} from '../domain/stored-change.ts';
import type { NewNode, NodeStore } from './ports.ts';

/** Stores new nodes of an account, with what follows from them. @throws DomainError already_exists by a unique index */
export async function insertNodes(store: NodeStore, tx: Queryable, nodes: readonly NewNode[]): Promise<void> {
  await store.insertNodes(tx, nodes);
  await markDue(
    store,
    tx,
    nodes.map((after) => ({ after })),
  );
  await renewImages(store, tx, nodes);
}

/** Stores what an update made of a node, with what follows from it. @throws DomainError already_exists by a unique index */
export async function saveSettings(
  store: NodeStore,
  tx: Queryable,
  before: StoredNode,
  after: Omit<StoredNode, 'revision'>,
): Promise<void> {
  await store.saveSettings(tx, after.nodeId, after);
  await markDue(store, tx, [{ before, after }]);
}

/** Marks what changes of nodes of one account make due, once they are stored: the transaction itself does it, or else the next pass. */
export async function markDue(store: NodeStore, tx: Queryable, changes: readonly StoredChange[]): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const sourceIds = followedSources(changes);
  if (sourceIds.length > 0) await store.putAnnouncements(tx, first.after.ownerId, sourceIds);
  const reportIds = rescheduledReports(changes);
  if (reportIds.length > 0) await store.markSchedules(tx, reportIds);
  const staleIds = shownOtherwise(changes);
  if (staleIds.length > 0) await store.markStale(tx, staleIds);
}

/** Streams announce nodes that show attachments which have come or gone. */
export async function renewImages(
  store: Pick<NodeStore, 'renewImages'>,
  tx: Queryable,
  nodes: readonly Pick<StoredNode, 'class' | 'parentId'>[],
): Promise<void> {
  const parentIds = shownAttachmentParents(nodes);
  if (parentIds.length > 0) await store.renewImages(tx, parentIds);
}
