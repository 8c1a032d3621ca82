import { serviceCaller } from '@catchment/access';
import type { Bus } from '@catchment/bus';
import type { LogLevelsServiceService } from '@catchment/contracts/log-levels';
import { invalid } from '@catchment/errors';
import type { Handlers } from '@catchment/grpc';
import type { LevelFollowers } from '../usecases/level-followers.ts';

type Deps = { readonly followers: LevelFollowers; readonly bus: Pick<Bus, 'answerLogLevel'> };

/** Host and process id: one line of what `catchment log-level` prints. */
const PROCESS = /^[\w.:-]{1,200}$/;

/** LogLevelsService: passes on what the broker brings, and the answers back. */
export const logLevelsHandlers = ({ followers, bus }: Deps): Handlers<typeof LogLevelsServiceService> => ({
  async *followLogLevels(_request, { caller, signal }) {
    serviceCaller(caller);
    for await (const wanted of followers.follow(signal))
      yield { change: Buffer.from(wanted?.change ?? []), answerTo: wanted?.answerTo ?? '' };
  },
  answerLogLevel: async ({ answerTo, process }, { caller }) => {
    const { service } = serviceCaller(caller);
    if (!PROCESS.test(process)) throw invalid('INVALID_ARGUMENT', 'process: must be a host and a process id');
    bus.answerLogLevel(answerTo, `${service} ${process}`);
    return {};
  },
});
