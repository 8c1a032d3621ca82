import type { Queryable } from '@catchment/pg';
import type { OwnerRevisions } from '../../changes/index.ts';
import type { Settings, StoredNode } from '../../domain/classes/node.ts';

/** A node to be stored, without what the database gives. */
export type NewNode = Omit<StoredNode, 'revision' | 'templateNodeId' | 'instanceId'> &
  Partial<Pick<StoredNode, 'templateNodeId' | 'instanceId'>>;

/** Announces nodes that were not changed themselves, in the transaction that announces them. */
export type Announcements = OwnerRevisions & {
  /** Takes nodes of an account that are to be announced; they are so no longer. */
  takeAnnouncements(tx: Queryable, ownerId: string, limit: number): Promise<string[]>;
  /** Gives a new revision to nodes whose path has changed with an ancestor's name, or of which there is more to say. */
  renewRevisions(tx: Queryable, nodeIds: readonly string[]): Promise<void>;
};

/** Stores and deletes nodes, with what is due after that. */
export type NodeStore = OwnerRevisions & {
  /** @throws DomainError already_exists by a unique index */
  insertNodes(tx: Queryable, nodes: readonly NewNode[]): Promise<void>;
  /** @throws DomainError already_exists by a unique index */
  saveSettings(tx: Queryable, nodeId: string, settings: Settings): Promise<void>;
  /** Nodes of an account are to be announced; those that are gone are left out. */
  putAnnouncements(tx: Queryable, ownerId: string, nodeIds: readonly string[]): Promise<void>;
  /** The due times of reports are out of date: the change waits for whoever is just computing them from what was before. */
  markSchedules(tx: Queryable, nodeIds: readonly string[]): Promise<void>;
  /** Shown values of nodes are out of date; they wait as `markSchedules` does. */
  markStale(tx: Queryable, nodeIds: readonly string[]): Promise<void>;
  /**
   * Counts nodes that show the newest attachment of these sources as written: the sources, and Locations with their image. Other nodes have
   * none.
   */
  renewImages(tx: Queryable, parentIds: readonly string[]): Promise<void>;
  /** Deletes nodes with their values; links from elsewhere to them become null (docs/reference/node-tree.md#delete). */
  deleteNodes(tx: Queryable, nodeIds: readonly string[]): Promise<void>;
};
