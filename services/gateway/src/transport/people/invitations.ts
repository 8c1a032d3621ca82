import type { Invitation } from '@catchment/contracts/people';
import type { CallerSigner } from '@catchment/grpc';
import type { Peers } from '../../usecases/ports.ts';
import { type ApiCall, changed, SUCCESS } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { personCall } from '../routing/session-call.ts';
import * as docs from './people-docs.ts';

/**
 * Serves invitations of other accounts, which a person accepts or declines. For sessions only: a key works for one account, and an
 * administrator who may make keys there must not answer for the person in others.
 */
export function invitationRoutes({ people }: Peers, signer: CallerSigner): RouteTable {
  const ownCall = (call: ApiCall) => personCall(call, signer);
  return {
    '/users/me/invitations': {
      GET: {
        schema: docs.listInvitations,
        answer: async (call) => {
          const { sessionSha256, options } = await ownCall(call);
          const { invitations } = await people.listInvitations({ sessionSha256 }, options);
          return changed(Buffer.from(JSON.stringify(invitations.map(invitationView))));
        },
      },
    },
    '/users/me/invitations/:id/accept': {
      POST: {
        schema: docs.acceptInvitation,
        keyed: 'once',
        answer: async (call) => {
          const { sessionSha256, options } = await ownCall(call);
          await people.acceptInvitation({ sessionSha256, invitationId: call.id }, options);
          return SUCCESS;
        },
      },
    },
    '/users/me/invitations/:id/decline': {
      POST: {
        schema: docs.declineInvitation,
        keyed: 'once',
        answer: async (call) => {
          const { sessionSha256, options } = await ownCall(call);
          await people.declineInvitation({ sessionSha256, invitationId: call.id }, options);
          return SUCCESS;
        },
      },
    },
  };
}

const invitationView = ({ invitationId, ownerId, accountName, slug, standing, createdMs }: Invitation) => ({
  _id: invitationId,
  ownerId,
  accountName,
  slug,
  standing,
  createdTime: new Date(createdMs).toISOString(),
});
