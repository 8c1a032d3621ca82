// `npm run test:influx -- --binary /path/to/influxd [-- <jest options>]`: the tests of the historic service, from units to
// random aggregates, against an InfluxDB of another version than the machine's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ownInflux } from '@catchment/testkit';

const root = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { binary: { type: 'string' } }, allowPositionals: true });
if (values.binary === undefined) {
  console.error('usage: npm run test:influx -- --binary /path/to/influxd [-- <jest options>]');
  process.exit(2);
}

await using influx = await ownInflux({ binary: path.resolve(values.binary) });
console.log(`InfluxDB ${influx.version ?? 'of unknown version'} (${values.binary})`);
const jest = path.join(root, 'node_modules/.bin/jest');
const child = spawn(process.execPath, [jest, 'services/historic', ...positionals], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    CATCHMENT_TEST_INFLUX_URL: influx.url,
    NODE_OPTIONS:
      `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
  },
});
const [code] = (await once(child, 'close')) as [number | null];
console.log(`InfluxDB ${influx.version ?? ''}: ${code === 0 ? 'all tests of the historic service passed' : 'FAILED'}`);
process.exitCode = code ?? 1;
