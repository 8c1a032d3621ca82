import type { TransportName } from '@catchment/contracts/transports';
import { metricsPage } from '@catchment/telemetry';

/** Returns counts by outcome, as the metric of this process reports them; an outcome that has not occurred is absent. */
export async function acquisitionsBy(transport: TransportName): Promise<Readonly<Record<string, number>>> {
  const { text } = await metricsPage();
  const found = text.matchAll(
    new RegExp(`^catchment_acquisitions_total\\{transport="${transport}",outcome="(\\w+)"\\} (\\d+)$`, 'gm'),
  );
  const counts = [...found].map(([, outcome = '', count]) => [outcome, Number(count)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
