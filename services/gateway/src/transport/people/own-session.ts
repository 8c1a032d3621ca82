import type { ListSignInsResponse_SignIn as SignIn } from '@catchment/contracts/people';
import type { CallerSigner } from '@catchment/grpc';
import { csrfTokenOf } from '../../domain/session.ts';
import type { Peers } from '../../usecases/ports.ts';
import { changed, SUCCESS } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { personCall, requireSession } from '../routing/session-call.ts';
import * as docs from './people-docs.ts';

/** Answers what a page of ours has to know to use the API with the session of its browser. */
export function ownSessionRoutes({ people }: Peers, signer: CallerSigner): RouteTable {
  return {
    '/users/me/session': {
      GET: {
        schema: docs.getSession,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          const { userId, email, accounts } = await people.getPerson({ sessionSha256 }, options);
          const { ownerId, rights } = call.caller;
          const answer = {
            userId,
            username: email,
            csrfToken: csrfTokenOf(requireSession(call)),
            ownerId,
            grants: rights ? rights.grants : null,
            accounts: accounts.map(({ ownerId: _id, accountName, slug, standing, status }) => ({
              _id,
              accountName,
              slug,
              standing,
              status,
            })),
          };
          return changed(Buffer.from(JSON.stringify(answer)));
        },
      },
    },
    '/users/me/sign-ins': {
      GET: {
        schema: docs.listSignIns,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          const { signIns } = await people.listSignIns({ sessionSha256 }, options);
          return changed(Buffer.from(JSON.stringify(signIns.map(signInView))));
        },
      },
    },
    '/users/me/sign-ins/:id': {
      DELETE: {
        schema: docs.endSignIn,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          await people.endSignIn({ sessionSha256, signInId: call.id }, options);
          return SUCCESS;
        },
      },
    },
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const signInView = ({ signInId, atMs, way, clientAddress, userAgent, usedMs, expiresMs, isCurrent }: SignIn) => ({
  _id: signInId,
  time: timeOf(atMs),
  way,
  clientAddress,
  userAgent,
  ...(usedMs !== undefined && { lastUsedTime: timeOf(usedMs) }),
  ...(expiresMs !== undefined && { expiresTime: timeOf(expiresMs) }),
  isCurrent,
});
