import type { Queryable } from '@catchment/pg';

/** Lets readers see that the lists of an account have changed. */
export type OwnerRevisions = {
  /**
   * Counts a change of what lists of these accounts show, in the transaction of the change.
   * @param writer who counts: those of one name wait for one another
   */
  touchOwners(tx: Queryable, ownerIds: readonly string[], writer: string): Promise<void>;
};
