import type { Queryable } from '@catchment/pg';
import type { OwnerRevisions } from '../../changes/index.ts';
import type { PlannedNode } from '../domain/instance-plan.ts';
import type { InstanceRow } from '../store/templates-query.ts';

/** Keeps which templates have instances and how far those follow, in the transaction of the change. */
export type InstanceStore = OwnerRevisions & {
  /** Makes the template known for its first instance. */
  ensureTemplate(
    tx: Queryable,
    template: { readonly templateId: string; readonly ownerId: string; readonly username: string },
  ): Promise<void>;
  /**
   * A template is another now, or gone: its instances are to follow.
   * @param nowMs from when on
   * @returns whether it has any
   */
  makeDue(tx: Queryable, templateId: string, username: string, nowMs: number): Promise<boolean>;
  /** Propagation is tried again later. */
  postpone(on: Queryable, templateId: string, untilMs: number): Promise<void>;
  /** Every instance follows the template now. */
  settle(tx: Queryable, templateId: string): Promise<void>;
  insertInstances(tx: Queryable, rows: readonly InstanceRow[]): Promise<void>;
  setRevision(tx: Queryable, instanceIds: readonly string[], revision: number): Promise<void>;
  /** The instances have nothing of their own in `metadata` any longer. */
  clearMetadata(tx: Queryable, templateId: string): Promise<void>;
  /** Stops nodes of an instance from following. */
  unlinkNodes(tx: Queryable, instanceId: string): Promise<void>;
  /** Nodes give up their name and series key until `savePlanned` gives them others, in the same transaction. */
  parkNames(tx: Queryable, nodeIds: readonly string[]): Promise<void>;
  /** Stores what following a template has made of nodes. @throws DomainError already_exists by a unique index */
  savePlanned(tx: Queryable, nodes: readonly PlannedNode[]): Promise<void>;
};
