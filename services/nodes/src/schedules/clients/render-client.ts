import type { RenderServiceService } from '@catchment/contracts/render';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { formatIsoMs } from '@catchment/time';
import type { ReportRenderer } from '../usecases/make-report.ts';

/** This is the time for connecting, and for the bytes on their way. */
const MORE_MS = 30_000;

/** Has reports made by the render service, in their own zones. @param requestMaxMs what it gives to one */
export function reportRenderer(
  render: GrpcClient<typeof RenderServiceService>,
  signer: CallerSigner,
  requestMaxMs: number,
): ReportRenderer {
  const maxMs = requestMaxMs + MORE_MS;
  return {
    maxMs,
    async *render({ ownerId, nodeId, timeMs }, signal) {
      const token = await signer.sign({ kind: 'service', service: 'nodes' });
      const request = {
        nodeRef: nodeId,
        ownerId,
        arguments: { nowTime: formatIsoMs(timeMs) },
        arrivalMs: Date.now(),
      };
      for await (const { data } of render.renderReport(request, { token, signal, timeoutMs: maxMs }))
        if (data.length > 0) yield data;
    },
  };
}
