import type { AuthenticateResponse, UserRights } from '@catchment/contracts/nodes';

/** A key has this user and this account now. */
export type KeyHolder = {
  readonly key_id: string;
  readonly owner_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly permission: string;
  readonly access_level: string;
  readonly workspace_ids: readonly string[];
  readonly status: string;
  readonly account_type: string;
  /** The user is owner, administrator or account manager (docs/reference/people-and-security.md#standing). */
  readonly has_standing: boolean;
  readonly last_used_ms: number | null;
};

/**
 * The caller behind a key.
 * @param rights of a workspace user at this moment; undefined: the user has standing
 * @returns undefined: nothing of the account is open to the key's user any more; the key dies with the next sweep
 */
export function callerOf(holder: KeyHolder, rights: UserRights | undefined): AuthenticateResponse | undefined {
  if (rights?.grants.length === 0) return undefined;
  return {
    keyId: holder.key_id,
    ownerId: holder.owner_id,
    userId: holder.user_id,
    username: holder.email,
    permission: holder.permission,
    // Owner and administrators alone work on the account itself (docs/reference/authentication.md#access-levels).
    accessLevel: rights && holder.access_level === 'ACCOUNT' ? 'WORKSPACES' : holder.access_level,
    workspaceIds: holder.access_level === 'LIMITED_WORKSPACES' ? [...holder.workspace_ids] : [],
    accountStatus: holder.status,
    accountType: holder.account_type,
    rights,
  };
}
