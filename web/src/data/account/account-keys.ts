import { call } from '../requests/call.ts';
import { unlessOvertaken } from '../requests/overtaken.ts';

/** docs/reference/authentication.md#api-keys */
export type AccountKey = {
  readonly _id: string;
  readonly label: string;
  readonly last4: string;
  readonly permission: string;
  readonly accessLevel: string;
  readonly workspaceIds?: readonly string[];
  /** The person with this e-mail has the key. */
  readonly user?: string;
  readonly createdTime: string;
  readonly lastUsedTime?: string;
  readonly revision: number;
  /** The answer that made the key alone has it. */
  readonly key?: string;
};
export type KeyBody = Pick<AccountKey, 'label' | 'permission' | 'accessLevel' | 'workspaceIds'>;

const KEYS = '/owners/account/apikeys';
const address = (id: string) => `${KEYS}/${encodeURIComponent(id)}` as const;

export const readAccountKeys = (signal?: AbortSignal): Promise<readonly AccountKey[]> =>
  call('GET', KEYS, signal ? { signal } : {});
/** @param user e-mail of the person whose key it is to be; absent: who makes it */
export const createAccountKey = (body: KeyBody, user?: string): Promise<AccountKey> =>
  call('POST', KEYS, { body: { ...body, ...(user !== undefined && { user }) } });

const now = async (id: string): Promise<AccountKey | undefined> =>
  (await readAccountKeys()).find(({ _id }) => _id === id);

/** @param revision of what somebody has begun with @throws Overtaken */
export const updateAccountKey = (id: string, revision: number, body: KeyBody): Promise<unknown> =>
  unlessOvertaken(
    () => call('PUT', address(id), { body, ifMatch: revision }),
    () => now(id),
    'API key',
  );
/** @throws Overtaken */
export const deleteAccountKey = ({ _id: id, revision }: AccountKey): Promise<unknown> =>
  unlessOvertaken(
    () => call('DELETE', address(id), { ifMatch: revision }),
    () => now(id),
    'API key',
  );
