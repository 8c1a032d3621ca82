import type { RenderServiceService } from '@catchment/contracts/render';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { formatIsoMs } from '@catchment/time';
import type { RenderReport } from '../usecases/make-report.ts';

/** Longer than the render service gives itself, its queue included; well below the lease of a run. */
const TIMEOUT_MS = 90_000;

/** Has reports made by the render service, in their own zones. */
export const renderReportsBy = (
  render: GrpcClient<typeof RenderServiceService>,
  signer: CallerSigner,
  timeoutMs = TIMEOUT_MS,
): RenderReport =>
  async function* ({ ownerId, nodeId, timeMs }, signal) {
    const token = await signer.sign({ kind: 'service', service: 'nodes' });
    const request = {
      nodeRef: nodeId,
      ownerId,
      arguments: { nowTime: formatIsoMs(timeMs) },
      arrivalMs: Date.now(),
    };
    for await (const { data } of render.renderReport(request, { token, signal, timeoutMs }))
      if (data.length > 0) yield data;
  };
