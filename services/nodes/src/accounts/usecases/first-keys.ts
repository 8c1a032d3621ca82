import type { CreateAccountRequest, CreateAccountResponse } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { isApiKey, sha256OfKey } from '@catchment/ids';
import { readOwner } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { findKey } from '../../keys/index.ts';
import { newActivationUrl } from '../../people/index.ts';
import type { AccountsDeps } from './deps.ts';

/** An account is created with these keys. */
export type FirstKeys = { readonly administrationKey: string; readonly defaultKey: string };

/** Reads the keys that the caller made, undefined when we are to make them. @throws DomainError invalid_argument */
export function readGivenKeys({ administrationKey, defaultKey }: CreateAccountRequest): FirstKeys | undefined {
  if (administrationKey === undefined && defaultKey === undefined) return undefined;
  const isKey = (text: string | undefined): text is string => text !== undefined && isApiKey(text);
  if (!isKey(administrationKey)) throw invalidAttribute('administrationKey', 'must be an API key of 40 characters');
  if (!isKey(defaultKey)) throw invalidAttribute('defaultKey', 'must be an API key of 40 characters');
  if (administrationKey === defaultKey) throw invalidAttribute('defaultKey', 'must not be the administration key');
  return { administrationKey, defaultKey };
}

/**
 * Finds the account that was created with these keys, as its creation answered; the owner's link is a new one, while the owner needs one.
 * @throws DomainError already_exists when they belong to different accounts, or have changed since they were created
 */
export async function accountOfKeys(deps: AccountsDeps, keys: FirstKeys): Promise<CreateAccountResponse | undefined> {
  const { database: on } = deps;
  // One after the other: a request that created the first key created the second one too.
  const [administration, standard] = [
    await findKey(on, sha256(keys.administrationKey)),
    await findKey(on, sha256(keys.defaultKey)),
  ];
  if (!administration) return undefined;
  if (administration.owner_id !== standard?.owner_id || administration.access_level !== 'ACCOUNT')
    throw new DomainError('already_exists', 'KEY_IN_USE', 'These keys belong to something else already');
  const { owner_id: ownerId, user_id: userId } = administration;
  const { slug } = await readOwner(on, ownerId);
  return { ownerId, slug, ...keys, ownerActivateUrl: await newActivationUrl(deps, userId) };
}

const sha256 = (key: string): Buffer => Buffer.from(sha256OfKey(key), 'hex');
