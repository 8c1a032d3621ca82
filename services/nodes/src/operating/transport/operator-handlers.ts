import type { OperatorServiceService } from '@catchment/contracts/operator';
import type { Handlers } from '@catchment/grpc';
import { document, done, forServices } from '../../transport/answers.ts';
import { changeAccount, listAccounts } from '../usecases/accounts.ts';
import { dropDeadLetter, listDeadLetters, retryDeadLetter } from '../usecases/dead-letters.ts';
import type { OperatorDeps } from '../usecases/deps.ts';
import { getHealth } from '../usecases/health.ts';

/** The gateway alone calls OperatorService, with the session of the person. */
export const operatorHandlers = (deps: OperatorDeps): Handlers<typeof OperatorServiceService> =>
  forServices<Handlers<typeof OperatorServiceService>>({
    listAccounts: (request) => document(listAccounts(deps, request)),
    changeAccount: (request) => document(changeAccount(deps, request)),
    getHealth: (request) => document(getHealth(deps, request)),
    listDeadLetters: (request) => document(listDeadLetters(deps, request)),
    retryDeadLetter: (request) => document(retryDeadLetter(deps, request)),
    dropDeadLetter: (request) => done(dropDeadLetter(deps, request)),
  });
