import type { DataTimesServiceService } from '@catchment/contracts/data-times';
import { invalid } from '@catchment/errors';
import type { Handlers } from '@catchment/grpc';
import type { Database } from '@catchment/pg';
import { forServices } from '../../transport/answers.ts';
import { dataTimes } from '../store/source-data.ts';

const MAX_SOURCES = 1_000;

/** DataTimesService: what the alarms service judges by whether sources are outdated. */
export const dataTimesHandlers = ({
  database,
}: {
  readonly database: Database;
}): Handlers<typeof DataTimesServiceService> =>
  forServices<Handlers<typeof DataTimesServiceService>>({
    getDataTimes: async ({ nodeIds }) => {
      if (nodeIds.length > MAX_SOURCES) throw invalid('INVALID_ARGUMENT', `nodeIds: must be at most ${MAX_SOURCES}`);
      return { times: [...(await dataTimes(database, nodeIds))] };
    },
  });
