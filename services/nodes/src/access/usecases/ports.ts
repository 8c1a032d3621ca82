import type { Queryable } from '@catchment/pg';
import type { ChangeAtNode } from '../../nodes/index.ts';
import type { Preference } from '../../notifications/index.ts';
import type { Place, PrincipalColumn } from '../../rights/index.ts';
import type { Role } from '../domain/role.ts';

export type NewEntry = { readonly id: string; readonly roleId: string; readonly expiresMs: number | null };

/** An ended entry. */
export type EndedEntry = {
  readonly workspaceId: string;
  /** E-mail; null for a group. */
  readonly email: string | null;
  readonly group: string | null;
};

/** Changes who has access, in the transaction of the change. */
export type EntryStore = {
  /** Adds or replaces entries of users or of groups in a workspace, in the order given. */
  saveEntries(
    tx: Queryable,
    place: Pick<Place, 'ownerId' | 'workspaceId'>,
    column: PrincipalColumn,
    entries: readonly NewEntry[],
  ): Promise<void>;
  deleteEntries(
    tx: Queryable,
    workspaceId: string,
    userIds: readonly string[],
    groupIds: readonly string[],
  ): Promise<void>;
  /** Sets No Access for users or groups. */
  closeNode(
    tx: Queryable,
    ownerId: string,
    nodeId: string,
    column: PrincipalColumn,
    ids: readonly string[],
  ): Promise<void>;
  /** Lifts No Access. */
  openNode(tx: Queryable, nodeId: string, userIds: readonly string[], groupIds: readonly string[]): Promise<void>;
  /** Stores what a new user is to be notified of. */
  savePreferences(
    tx: Queryable,
    place: Pick<Place, 'ownerId' | 'workspaceId'>,
    userId: string,
    preferences: readonly Preference[],
  ): Promise<void>;
  /** Removes entries that have ended, the earliest first. */
  takeEnded(tx: Queryable, ownerId: string, nowMs: number, limit: number): Promise<EndedEntry[]>;
};

export type AccessChange = ChangeAtNode & { readonly entries: EntryStore };

/** Changes roles, in the transaction of the change. */
export type RoleStore = {
  /** Adds roles after those that are there. */
  insertRoles(tx: Queryable, ownerId: string, roles: readonly Role[]): Promise<void>;
  saveRole(tx: Queryable, ownerId: string, role: Role): Promise<void>;
  deleteRole(tx: Queryable, ownerId: string, roleId: string): Promise<void>;
};
