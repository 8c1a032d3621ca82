import type { Queryable } from '@catchment/pg';
import type { Role } from '../../access/index.ts';
import type { Category, DeletedKey, Owner, OwnerRevisions } from '../../changes/index.ts';
import type { NewKey } from '../../keys/index.ts';
import type { GivenProfile } from '../../people/index.ts';
import type { AccountInput } from '../domain/account.ts';
import type { PlannedGroup } from '../domain/user-group.ts';

/** These attributes of an account are given; the others stay. */
export type OwnerChange = Partial<
  Pick<
    Owner,
    | 'account_name'
    | 'account_type'
    | 'status'
    | 'source_limit'
    | 'sms_limit'
    | 'row_limit'
    | 'record_days'
    | 'event_days'
    | 'categories'
    | 'quality'
  >
>;

export type NewOwner = AccountInput & {
  readonly ownerId: string;
  readonly slug: string;
  readonly userId: string;
  readonly parentOwnerId: string | null;
  readonly categories: readonly Category[];
  readonly createdMs: number;
};

/** All accounts. */
export type AccountBook = OwnerRevisions & {
  /** @returns false when the slug is taken */
  insertOwner(tx: Queryable, owner: NewOwner): Promise<boolean>;
  saveOwner(tx: Queryable, ownerId: string, change: OwnerChange): Promise<void>;
  /** The row itself; people, keys and settings go with it. @returns false while the account still has nodes */
  deleteOwner(tx: Queryable, ownerId: string): Promise<boolean>;
};

/** Follows trials from their begin to the removal of their accounts. */
export type Trials = {
  /** A trial begins, or begins anew. */
  startTrial(tx: Queryable, ownerId: string, endsMs: number): Promise<void>;
  endTrial(tx: Queryable, ownerId: string): Promise<void>;
  /** The account is disabled and is to be deleted; not when its trial has begun anew meanwhile. */
  setRemoval(on: Queryable, ownerId: string, nowMs: number, removalMs: number): Promise<void>;
};

/** Administrators and groups of accounts. */
export type AccountPeople = {
  /** Replaces the whole list. */
  setAdministrators(tx: Queryable, ownerId: string, userIds: readonly string[]): Promise<void>;
  /**
   * Stores groups, new and existing; users that are given replace the group's.
   * @param firstPosition where the first of them stands in the account's list
   */
  saveGroups(
    tx: Queryable,
    ownerId: string,
    groups: readonly PlannedGroup[],
    userIds: ReadonlyMap<string, string>,
    firstPosition: number,
  ): Promise<void>;
  /** The others close up: positions count from 0 without gaps. */
  deleteGroups(tx: Queryable, ownerId: string, groupIds: readonly string[]): Promise<void>;
};

/** Changes what other rooms keep of an account. */
export type AccountParts = {
  insertRoles(tx: Queryable, ownerId: string, roles: readonly Role[]): Promise<void>;
  insertKey(
    tx: Queryable,
    key: NewKey & { readonly ownerId: string; readonly userId: string; readonly createdMs: number },
  ): Promise<void>;
  /** Deletes the keys of people who are administrators no more. */
  deleteOrphanedKeys(tx: Queryable, ownerId: string, userIds: readonly string[]): Promise<readonly DeletedKey[]>;
  deletePreferencesOf(tx: Queryable, ownerId: string, categoryId: string): Promise<void>;
  saveProfile(tx: Queryable, userId: string, profile: GivenProfile): Promise<void>;
};

export type AccountStore = AccountBook & Trials & AccountPeople & AccountParts;
