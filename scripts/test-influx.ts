// `npm run test:influx -w services/historic -- --binary /path/to/influxd [-- <vitest options>]` runs the tests of the historic service,
// from units to random aggregates, against an InfluxDB of another version than the machine's.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ownInflux } from '@catchment/testkit';
import { runVitest } from './run-vitest.ts';

const { values, positionals } = parseArgs({ options: { binary: { type: 'string' } }, allowPositionals: true });
if (values.binary === undefined) {
  console.error('usage: npm run test:influx -w services/historic -- --binary /path/to/influxd [-- <vitest options>]');
  process.exit(2);
}

await using influx = await ownInflux({ binary: path.resolve(values.binary) });
console.log(`InfluxDB ${influx.version ?? 'of unknown version'} (${values.binary})`);
const code = await runVitest(['services/historic', ...positionals], { CATCHMENT_TEST_INFLUX_URL: influx.url });
console.log(`InfluxDB ${influx.version ?? ''}: ${code === 0 ? 'all tests of the historic service passed' : 'FAILED'}`);
process.exitCode = code;
