import { randomBytes } from 'node:crypto';
import type { CallerSigner } from '@catchment/grpc';
import { SESSION_TOKEN } from '../domain/session.ts';
import { Authenticator } from './authenticator.ts';
import type { Peers } from './ports.ts';

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** The person behind a session, with the rights over the API; cached as long as keys. */
export const sessionsOf = (
  { people, accounts }: Pick<Peers, 'people' | 'accounts'>,
  signer: CallerSigner,
): Authenticator =>
  new Authenticator({
    lookup: ({ keySha256 }, options) => people.authenticateSession({ sessionSha256: keySha256 }, options),
    find: accounts.findSecrets,
    signer,
    pattern: SESSION_TOKEN,
  });
