import { TRANSPORT_NAMES } from '@catchment/contracts/transports';
import { metricsPage } from '@catchment/telemetry';
import { acquisitions } from './acquisition-count.ts';

test('every transport has its series before its first acquisition, so that the first one is a rise', async () => {
  acquisitions.add({ transport: 'Mqtt', outcome: 'failed' });
  const { text } = await metricsPage();
  const counters = text.split('\n').filter((line) => line.startsWith('catchment_acquisitions_total{'));
  expect(counters).toHaveLength(TRANSPORT_NAMES.filter((name) => name !== 'None').length * 3);
  expect(counters).toContain('catchment_acquisitions_total{transport="Mqtt",outcome="failed"} 1');
  expect(counters).toContain('catchment_acquisitions_total{transport="S3",outcome="refused"} 0');
});
