import type { OwnersServiceService } from '@catchment/contracts/owners';
import type { GrpcClient } from '@catchment/grpc';
import type { QualitySettings } from '@catchment/quality';
import type { Qualities } from '../usecases/ports.ts';

/** The quality settings of the caller's account, as it may read them itself. */
export function qualitiesClient(owners: Pick<GrpcClient<OwnersServiceService>, 'getQuality'>): Qualities {
  return {
    async colors({ token, deadlineMs, signal }) {
      const timeoutMs = Math.max(deadlineMs - Date.now(), 1);
      const { json } = await owners.getQuality({ ownerId: '' }, { token, deadlineMs, timeoutMs, signal });
      const { codes } = JSON.parse(json.toString()) as QualitySettings;
      return Object.fromEntries(codes.map(({ code, color }) => [code, color]));
    },
  };
}
