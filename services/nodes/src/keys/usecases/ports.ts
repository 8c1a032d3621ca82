import type { Queryable } from '@catchment/pg';
import type { KeySettings } from '../domain/api-key.ts';

export type NewKey = {
  readonly keyId: string;
  /** 64 hex characters. */
  readonly sha256: string;
  readonly last4: string;
  readonly label: string;
  readonly permission: 'READ_ONLY' | 'MODIFY';
  readonly accessLevel: 'ACCOUNT' | 'WORKSPACES' | 'LIMITED_WORKSPACES';
  readonly workspaceIds?: readonly string[];
};

/** Changes keys, in the transaction of the change. */
export type KeyStore = {
  insertKey(
    tx: Queryable,
    key: NewKey & { readonly ownerId: string; readonly userId: string; readonly createdMs: number },
  ): Promise<void>;
  saveKey(tx: Queryable, ownerId: string, keyId: string, settings: KeySettings): Promise<void>;
  deleteKey(tx: Queryable, ownerId: string, keyId: string): Promise<void>;
};
/** Notes that a key was used. */
export type TouchKey = (on: Queryable, keyId: string, nowMs: number) => Promise<void>;
