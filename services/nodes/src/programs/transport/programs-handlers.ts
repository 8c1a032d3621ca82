import { type Caller, serviceCaller } from '@catchment/access';
import type { ProgramsServiceService } from '@catchment/contracts/programs';
import type { Handlers } from '@catchment/grpc';
import { getProgram } from '../usecases/get-program.ts';
import type { ProgramDeps } from '../usecases/program-nodes.ts';
import { resolvePaths } from '../usecases/resolve-paths.ts';

/** ProgramsService answers programs and what they name, for the processing service and, through it, for people who try one out. */
export const programsHandlers = (deps: ProgramDeps): Handlers<typeof ProgramsServiceService> => ({
  getProgram: async (request, { caller }) => getProgram(deps, known(caller), request),
  resolvePaths: async (request, { caller }) => resolvePaths(deps, known(caller), request),
});

/** Keys of AUTH are for one service alone. */
const known = (caller: Caller): Caller => (caller.kind === 'service' ? serviceCaller(caller, 'processing') : caller);
