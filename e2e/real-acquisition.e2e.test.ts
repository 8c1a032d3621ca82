// Files of each format go through servers and clients of others, are read back by the API and compared with what Python reads. All of them go
// through every transport with `npm run test:acquisition`.

import path from 'node:path';
import { until } from '@catchment/testkit';
import { type Installation, startInstallation } from './src/installation.ts';
import { acquire, type Site } from './src/real-acquisition/acquire.ts';
import { clientsOf, openServers, type PlaceName } from './src/real-acquisition/places.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

let installation: Installation;
let site: Site;
let servers: Awaited<ReturnType<typeof openServers>>;
beforeAll(async () => {
  servers = await openServers(['HTTP']);
  installation = await startInstallation({ env: servers.env });
  const { locationId } = await installation.api.createSite('Real files');
  site = { installation, locationId, places: { ...servers.places, ...(await clientsOf(installation, servers)) } };
});
afterAll(async () => {
  await installation?.stop();
  await servers?.close();
});

test.each<[string, PlaceName, { parameters: number; records: number }]>([
  ['cli/data/promice/CR1000_TableMem_10min_2016.dat.gz', 'HTTP', { parameters: 41, records: 4464 }],
  ['cli/data/usgs/DeadRun_stage_discharge_5min_qualifiers.csv', 'FTP upload', { parameters: 4, records: 8928 }],
  ['e2e/data/daily_RDB1Example.rdb', 'e-mail', { parameters: 2, records: 31 }],
  ['e2e/data/nyc_airports_dst_days_2013.csv', 'HTTP', { parameters: 9, records: 137 }],
  ['e2e/data/nab_machine_temperature_clock_set_back.csv', 'HTTP upload', { parameters: 1, records: 864 }],
  ['e2e/data/track_with_empty_segment.gpx', 'HTTP upload', { parameters: 4, records: 9 }],
  ['e2e/data/track_with_empty_segment.gpx', 'e-mail', { parameters: 4, records: 9 }],
])('%s by %s', async (file, place, expected) => {
  expect(await acquire(site, ROOT, file, place)).toMatchObject(expected);
});

test('a file of many parts is one push, with one event', async () => {
  const { api } = installation;
  const { json: found } = await api.get(`/nodes?filter=name($match:DeadRun)&attr=_id`);
  const source = await until(async () => {
    const { json } = await api.get(`/nodes/${found[0]._id}`);
    return json.totalCommsSuccess > 0 && json;
  });
  expect(source).toMatchObject({ totalCommsAttempt: 1, totalCommsSuccess: 1, lastAcquireRecordCount: 8928 });
  const processed = await until(async () => {
    const { json: events } = await api.get(`/nodes/${found[0]._id}/events`);
    const messages = events.map(({ message }: { message: string }) => message);
    const ofFile = messages.filter((message: string) => message.startsWith('Processed'));
    return ofFile.length > 0 && ofFile;
  });
  expect(processed).toEqual([
    'Processed 8928 records from DeadRun_stage_discharge_5min_qualifiers.csv [4 parameters updated]',
  ]);
});
