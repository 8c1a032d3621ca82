import type { CallerSigner } from '@catchment/grpc';
import type { AccountCalls } from '../../usecases/report-ports.ts';

/** A caller without a person: it may read all of the account, and has nothing of its own. */
const NOBODY = {
  kind: 'api',
  userId: '',
  username: 'System',
  permission: 'READ_ONLY',
  accessLevel: 'WORKSPACES',
} as const;

/** Calls on behalf of an account, where a service asks for one of its reports; else of the caller, signed anew: a turn may come late. */
export const accountCalls =
  (signer: CallerSigner): AccountCalls =>
  async (ownerId, call) => ({
    ...call,
    token: await signer.sign(ownerId === '' ? call.caller : { ...NOBODY, ownerId }),
  });
