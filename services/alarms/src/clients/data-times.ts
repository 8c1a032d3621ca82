import type { DataTimesServiceService } from '@catchment/contracts/data-times';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { DataTimes } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'alarms' } as const;
const TIMEOUT_MS = 10_000;

/** Asks DataTimesService how fresh sources are. */
export const grpcDataTimes = (
  service: GrpcClient<typeof DataTimesServiceService>,
  signer: Pick<CallerSigner, 'sign'>,
): DataTimes => ({
  async of(sourceIds, signal) {
    const token = await signer.sign(SERVICE);
    const { times } = await service.getDataTimes({ nodeIds: [...sourceIds] }, { token, signal, timeoutMs: TIMEOUT_MS });
    return new Map(times.map(({ nodeId, referenceMs }) => [nodeId, referenceMs]));
  },
});
