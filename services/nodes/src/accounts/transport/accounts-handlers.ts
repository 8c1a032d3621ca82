import { serviceCaller } from '@catchment/access';
import type { AccountsServiceService } from '@catchment/contracts/nodes';
import type { Handlers } from '@catchment/grpc';
import { authenticate, knownSecrets } from '../../keys/index.ts';
import { createAccount } from '../usecases/create-account.ts';
import type { AccountsDeps } from '../usecases/deps.ts';

/** AccountsService: our own services only. */
export const accountsHandlers = (deps: AccountsDeps): Handlers<typeof AccountsServiceService> => ({
  createAccount: async (request, { caller }) => {
    serviceCaller(caller);
    return createAccount(deps, request);
  },
  authenticate: async ({ keySha256 }, { caller }) => {
    serviceCaller(caller);
    return authenticate(deps, keySha256);
  },
  findSecrets: async ({ sha256 }, { caller }) => {
    serviceCaller(caller);
    return { knownSha256: await knownSecrets(deps, sha256) };
  },
});
