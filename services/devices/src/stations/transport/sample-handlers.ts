import { serviceCaller } from '@catchment/access';
import type { DevicesServiceService } from '@catchment/contracts/devices';
import type { Handlers } from '@catchment/grpc';
import type { Stations } from '../usecases/take-message.ts';
import { takeSamples } from '../usecases/take-samples.ts';

/** Samples that apps push. */
export const sampleHandlers = (stations: Stations) =>
  ({
    takeSamples: async (request, { caller, signal }) => {
      serviceCaller(caller, 'gateway');
      await takeSamples(stations, request, signal);
      return {};
    },
  }) satisfies Partial<Handlers<typeof DevicesServiceService>>;
