import type { AuthenticateResponse } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import type { StoreDeps } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { rightsOf } from '../../rights/index.ts';
import { callerOf } from '../domain/key-caller.ts';
import { findKey, findSecrets } from '../store/keys-query.ts';
import type { TouchKey } from './ports.ts';

/** Secrets of one question (nodes.proto). */
const MAX_SECRETS = 1_000;
/** `lastUsedTime` of a key is at most this old. */
const LAST_USED_MS = 60_000;

/** Returns secrets that belong to an API key or a session, ended ones too. @throws DomainError invalid_argument: too many */
export async function knownSecrets(deps: StoreDeps, sha256: readonly Uint8Array[]): Promise<Buffer[]> {
  if (sha256.length > MAX_SECRETS) throw invalidAttribute('sha256', `must be at most ${MAX_SECRETS}`);
  return findSecrets(deps.database, sha256);
}

/** The caller behind a key. @throws DomainError unauthenticated when the key is unknown or revoked */
export async function authenticate(
  touchKey: TouchKey,
  deps: StoreDeps,
  keySha256: Uint8Array,
): Promise<AuthenticateResponse> {
  const holder = keySha256.length === 32 ? await findKey(deps.database, keySha256) : undefined;
  if (!holder) throw unknownKey();
  const nowMs = deps.now();
  const rights = holder.has_standing
    ? undefined
    : await rightsOf(deps.database, holder.owner_id, holder.user_id, nowMs);
  const caller = callerOf(holder, rights);
  if (!caller) throw unknownKey();
  // A request is not refused because this could not be noted.
  if (nowMs - (holder.last_used_ms ?? 0) >= LAST_USED_MS)
    await touchKey(deps.database, holder.key_id, nowMs).catch((err: unknown) =>
      deps.log.warn({ err }, 'use of an API key could not be noted'),
    );
  return caller;
}

const unknownKey = (): DomainError =>
  new DomainError('unauthenticated', 'KEY_UNKNOWN', 'Unauthorized: authentication failed');
