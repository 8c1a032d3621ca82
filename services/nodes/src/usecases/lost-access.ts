import { accountEvent, keyChanged } from '../bus/messages.ts';
import { touchOwners } from '../store/node-rows.ts';
import { dropClosings, dropKeys, dropPreferences, dropSubscriptions } from '../store/pg-lost-access.ts';
import type { AccountChange } from './change-account.ts';

/**
 * Takes away what rests on access that an account's people do not have any more: keys, subscriptions, preferences and
 * No Access (semantics 1.2, 10.1). To be called in the transaction of whatever may have taken access away.
 * @param ownerIds the accounts concerned: the changed one, and those that it manages where its administrators changed
 */
export async function dropLostAccess(
  { tx, owner, nowMs, cause, send }: Pick<AccountChange, 'tx' | 'owner' | 'nowMs' | 'cause' | 'send'>,
  ownerIds: readonly string[] = [owner.owner_id],
): Promise<void> {
  for (const ownerId of ownerIds) {
    await dropClosings(tx, ownerId, nowMs);
    await dropSubscriptions(tx, ownerId, nowMs);
    await dropPreferences(tx, ownerId, nowMs);
    for (const { label, email, sha256 } of await dropKeys(tx, ownerId, nowMs))
      send([keyChanged(sha256), accountEvent(ownerId, 'SECURITY', `Deleted API key '${label}' of ${email}`, cause)]);
  }
  // Lists show other nodes to those whose access changed.
  await touchOwners(tx, ownerIds, 'security');
}
