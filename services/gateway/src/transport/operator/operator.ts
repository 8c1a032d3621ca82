import { notFound } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import { ALL_ACCOUNTS, DEAD_LETTERS, readArguments } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import { changed, SUCCESS } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { personCall } from '../routing/session-call.ts';
import * as docs from './operator-docs.ts';

const LETTER_NUMBER = /^[1-9]\d{0,14}$/;

/** @throws DomainError not_found: dead letters have no other names */
function letterOf(id: string): number {
  if (!LETTER_NUMBER.test(id)) throw notFound();
  return Number(id);
}

/**
 * Serves pages of the operator of the installation: for people who are signed in, and whom the installation names
 * (docs/reference/operator.md).
 */
export function operatorRoutes({ operator }: Peers, signer: CallerSigner): RouteTable {
  return {
    '/operator/accounts': {
      GET: {
        schema: docs.listAccounts,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          const request = { sessionSha256, ...readArguments(ALL_ACCOUNTS, call.query) };
          return changed((await operator.listAccounts(request, options)).json);
        },
      },
    },
    '/operator/accounts/:id': {
      PUT: {
        schema: docs.changeAccount,
        keyed: 'again',
        body: 'json',
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          const request = { sessionSha256, ownerId: call.id, body: call.body, ifMatch: call.ifMatch() };
          return changed((await operator.changeAccount(request, options)).json);
        },
      },
    },
    '/operator/health': {
      GET: {
        schema: docs.getHealth,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          return changed((await operator.getHealth({ sessionSha256 }, options)).json);
        },
      },
    },
    '/operator/deadletters': {
      GET: {
        schema: docs.listDeadLetters,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          const request = { sessionSha256, ...readArguments(DEAD_LETTERS, call.query) };
          return changed((await operator.listDeadLetters(request, options)).json);
        },
      },
    },
    '/operator/deadletters/:id': {
      DELETE: {
        schema: docs.dropDeadLetter,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          await operator.dropDeadLetter({ sessionSha256, number: letterOf(call.id) }, options);
          return SUCCESS;
        },
      },
    },
    '/operator/deadletters/:id/retry': {
      POST: {
        schema: docs.retryDeadLetter,
        answer: async (call) => {
          const { sessionSha256, options } = await personCall(call, signer);
          const request = { sessionSha256, number: letterOf(call.id) };
          return changed((await operator.retryDeadLetter(request, options)).json);
        },
      },
    },
  };
}
