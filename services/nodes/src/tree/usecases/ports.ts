import type { Queryable } from '@catchment/pg';
import type { OwnerRevisions } from '../../changes/index.ts';

/** Changes places in the tree. */
export type Places = OwnerRevisions & {
  /** Notes where nodes are that are about to be moved: streams report to those who see them there that they are gone. */
  rememberPlaces(tx: Queryable, nodeIds: readonly string[]): Promise<void>;
  /** Hangs a node under another parent. @throws DomainError already_exists by the index of sibling names */
  setParent(tx: Queryable, nodeId: string, parentId: string): Promise<void>;
  /** Nodes that have gone along with a moved ancestor: their workspace and a new revision, for their path is another. */
  setWorkspace(tx: Queryable, nodeIds: readonly string[], workspaceId: string): Promise<void>;
};

/** Changes which parameters are active. */
export type Activity = {
  saveActive(tx: Queryable, nodes: readonly { nodeId: string; isActive: boolean }[]): Promise<void>;
};

/** Templates whose node is gone. */
export type GoneTemplates = { forgetTemplate(tx: Queryable, templateId: string): Promise<void> };

/** Control parameters are to get values. */
export type Controls = OwnerRevisions & {
  /** Keeps a value, which replaces one that waits. @returns its revision */
  keepControl(tx: Queryable, nodeId: string, value: unknown): Promise<number>;
  /** Takes back what waits. @returns the revision of the taking back; undefined when nothing waits */
  dropControl(tx: Queryable, nodeId: string): Promise<number | undefined>;
};

/** Counts what an account was refused of other accounts' stations, on this day of UTC. */
export type Refusals = { countRefusal(tx: Queryable, ownerId: string, nowMs: number): Promise<void> };

/** The use cases of the tree change all this themselves. */
export type TreeStore = Places & Activity & GoneTemplates & Controls & Refusals;
