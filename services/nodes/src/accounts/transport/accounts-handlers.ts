import type { AccountsServiceService } from '@catchment/contracts/nodes';
import type { Handlers } from '@catchment/grpc';
import { authenticate, knownSecrets } from '../../keys/index.ts';
import { forServices } from '../../transport/answers.ts';
import { createAccount } from '../usecases/create-account.ts';
import type { AccountsDeps } from '../usecases/deps.ts';
import type { AccountBook, AccountParts, Trials } from '../usecases/ports.ts';

/** AccountsService: our own services only. */
export const accountsHandlers = (
  store: AccountBook & Trials & AccountParts,
  deps: AccountsDeps,
): Handlers<typeof AccountsServiceService> =>
  forServices<Handlers<typeof AccountsServiceService>>({
    createAccount: (request) => createAccount(store, deps, request),
    authenticate: ({ keySha256 }) => authenticate(deps, keySha256),
    findSecrets: async ({ sha256 }) => ({ knownSha256: await knownSecrets(deps, sha256) }),
  });
