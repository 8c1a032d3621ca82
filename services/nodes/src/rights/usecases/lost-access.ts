import { appendOutbox, type Queryable } from '@catchment/pg';
import { type Cause, type DeletedKey, keysDeleted, type OwnerRevisions } from '../../changes/index.ts';

type Drop<T> = (tx: Queryable, ownerId: string, nowMs: number) => Promise<T>;

/** Removes what rests on access that an account's people do not have any more. */
export type LostAccess = OwnerRevisions & {
  readonly dropClosings: Drop<void>;
  readonly dropSubscriptions: Drop<void>;
  readonly dropPreferences: Drop<void>;
  readonly dropKeys: Drop<DeletedKey[]>;
};

/**
 * Takes away what rests on access that an account's people do not have any more: keys, subscriptions, preferences and
 * No Access (docs/reference/authentication.md#api-keys, docs/reference/notifications.md#subscriptions-and-preferences). To
 * be called in the transaction of whatever may have taken access away.
 * @param ownerIds the accounts concerned: the changed one, and those that it manages where its administrators changed
 */
export async function dropLostAccess(
  { dropClosings, dropSubscriptions, dropPreferences, dropKeys, touchOwners }: LostAccess,
  tx: Queryable,
  ownerIds: readonly string[],
  cause: Cause,
): Promise<void> {
  for (const ownerId of ownerIds) {
    await dropClosings(tx, ownerId, cause.timeMs);
    await dropSubscriptions(tx, ownerId, cause.timeMs);
    await dropPreferences(tx, ownerId, cause.timeMs);
    const gone = await dropKeys(tx, ownerId, cause.timeMs);
    await appendOutbox(tx, keysDeleted(gone, cause));
  }
  // Lists show other nodes to those whose access changed.
  await touchOwners(tx, ownerIds, 'security');
}
