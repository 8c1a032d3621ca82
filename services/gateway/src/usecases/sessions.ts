import { randomBytes } from 'node:crypto';
import type { CallerSigner } from '@catchment/grpc';
import { SESSION_TOKEN } from '../domain/session.ts';
import { Authenticator } from './authenticator.ts';
import type { Peers } from './ports.ts';

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/**
 * Finds the person behind a session, with the rights over the API in one account: the one that is named, or else that in which the session
 * works. Cached as long as keys.
 */
export const sessionsOf = (
  { people, accounts }: Pick<Peers, 'people' | 'accounts'>,
  signer: CallerSigner,
): Authenticator =>
  new Authenticator({
    lookup: async ({ keySha256, account }, options) => {
      const answer = await people.authenticateSession({ sessionSha256: keySha256, account }, options);
      // A person with two accounts is two callers, with separate streams, rights and repeated requests.
      return { ...answer, keyId: `${answer.keyId} ${answer.ownerId}` };
    },
    find: accounts.findSecrets,
    signer,
    pattern: SESSION_TOKEN,
  });
