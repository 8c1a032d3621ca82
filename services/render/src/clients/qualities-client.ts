import type { OwnersServiceService } from '@catchment/contracts/owners';
import type { GrpcClient } from '@catchment/grpc';
import { readQuality } from '@catchment/quality';
import type { Qualities } from '../usecases/ports.ts';

/** Reads the quality settings of the caller's account, as it may read them itself. */
export function qualitiesClient(
  owners: Pick<GrpcClient<OwnersServiceService>, 'getQualitySettings' | 'getQuality'>,
): Qualities {
  return {
    async colors({ token, deadlineMs, signal }) {
      const timeoutMs = Math.max(deadlineMs - Date.now(), 1);
      const { codes } = await readQuality(owners, { ownerId: '' }, { token, deadlineMs, timeoutMs, signal });
      return Object.fromEntries(codes.map(({ code, color }) => [code, color]));
    },
  };
}
