import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';

/** A node to be stored, without what the database gives. */
export type NewNode = Omit<StoredNode, 'revision' | 'templateNodeId' | 'instanceId'> &
  Partial<Pick<StoredNode, 'templateNodeId' | 'instanceId'>>;

/** What is announced of nodes without a change of theirs, in the transaction that announces it. */
export type Announcements = {
  /** Nodes of an account that are to be announced; they are so no longer. */
  takeAnnouncements(tx: Queryable, ownerId: string, limit: number): Promise<string[]>;
  /** A new revision for nodes whose path has changed with an ancestor's name, or of which there is more to say. */
  renewRevisions(tx: Queryable, nodeIds: readonly string[]): Promise<void>;
};

/** Deletes nodes with their values; links from elsewhere to them become null (docs/reference/node-tree.md#delete). */
export type DeleteNodes = (tx: Queryable, nodeIds: readonly string[]) => Promise<void>;
