// Sources take files (docs/reference/accounts-and-usage.md#administration; docs/reference/acquisition.md#files-of-a-source): as large as
// they may be, through a whole installation.
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { until } from '@catchment/testkit';
import type { Installation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';

const MIB = 1024 * 1024;
const MAX_BYTES = 100 * MIB;
/** Node frees buffers once 64 MiB of them are waiting; a process that holds the file has 100 MiB and its copies. */
const GROWTH_MAX_BYTES = 96 * MIB;

let installation: Installation;
let sourceId: string;
beforeAll(async () => {
  installation = await borrowInstallation('each', { fresh: ['gateway', 'devices'] });
  const { api } = installation;
  const make = async (cls: string, name: string, parentId?: string): Promise<string> =>
    (await api.post('/nodes', { _class: `io.svc.models.node.${cls}`, name, parentId })).json._id;
  const station = await make('location.Location', 'Station', await make('Workspace', 'Files'));
  sourceId = await make('source.data.TextParser', 'Logger', station);
});
afterAll(() => installation?.stop());

const residentBytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Sends this many bytes as fast as they are accepted, and samples the memory of processes meanwhile. */
async function send(sizeBytes: number, pids: readonly number[]) {
  const { url, api } = installation;
  const before = await Promise.all(pids.map(residentBytes));
  const most = [...before];
  const headers = { 'X-Api-Key': api.key, 'Content-Type': 'text/csv' };
  const asked = request(`${url}/api/v1/nodes/${sourceId}/files`, { method: 'POST', headers });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    asked.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
  });
  const piece = Buffer.alloc(64 * 1024, 'a text without a time, 1\n');
  for (let sent = 0; sent < sizeBytes; sent += piece.length) {
    if (!asked.write(piece.subarray(0, sizeBytes - sent))) await new Promise((resolve) => asked.once('drain', resolve));
    for (const [n, pid] of pids.entries()) most[n] = Math.max(most[n] ?? 0, await residentBytes(pid));
  }
  asked.end();
  const answer = await answered;
  return { ...answer, growth: most.map((bytes, n) => bytes - (before[n] ?? 0)) };
}

test('100 MiB are taken in and looked at, and neither process ever holds them', async () => {
  const { gateway = 0, devices = 0 } = await installation.pids();
  const { status, text, growth } = await send(MAX_BYTES, [gateway, devices]);
  expect([status, JSON.parse(text).error.reason]).toEqual([400, 'NO_TIME']);
  for (const bytes of growth) expect(bytes).toBeLessThan(GROWTH_MAX_BYTES);
});

test('a byte more is too much, also where nobody has said how many come', async () => {
  const { status, text } = await send(MAX_BYTES + 1, []);
  expect(status).toBe(413);
  expect(text).toContain('a file may have at most');
});

test('a file that is pushed with the key of its source becomes records, without any key of the API', async () => {
  const { url, api } = installation;
  const transport = { _class: 'io.svc.models.node.transport.HttpUpload', authentication: 'BASIC', password: 'secret' };
  const pushed = (await api.put(`/nodes/${sourceId}`, { transport })).json;
  const push = (password: string) =>
    fetch(`${url}/upload/source/${pushed.transport.key}?name=pushed.csv`, {
      method: 'POST',
      body: 'time,Pushed\n2024-07-01 00:00,1.5\n2024-07-01 01:00,2.5\n',
      headers: { authorization: `Basic ${Buffer.from(`logger:${password}`).toString('base64')}` },
    }).then(({ status }) => status);
  expect([await push('wrong'), await push('secret')]).toEqual([401, 202]);
  const of = '/nodes?filter=series($eq:Pushed)&attr=currentValue';
  // The value follows the parameter, which the file makes.
  await until(async () => (await api.get(of)).json[0]?.currentValue === 2.5);
});

test('a key for data reaches its own source alone: a key of another transport, a station of another class and one that is gone are as unknown as one that nobody has', async () => {
  const { url } = installation;
  const models = 'io.svc.models.node';
  const [mine, theirs] = [
    await installation.account({ name: 'Keys A' }),
    await installation.account({ name: 'Keys B' }),
  ];
  const sources = async ({ api }: typeof mine, site: string) => {
    const make = async (body: object) => (await api.post('/nodes', body)).json;
    const workspace = await make({ _class: `${models}.Workspace`, name: 'Site' });
    const location = await make({ _class: `${models}.location.Location`, name: 'Place', parentId: workspace._id });
    const source = (cls: string, name: string, transport: object) =>
      make({ _class: `${models}.source.data.${cls}`, name, parentId: location._id, transport });
    return {
      http: await source('TextParser', 'Files', { _class: `${models}.transport.HttpUpload` }),
      lorawan: await source('Jts', 'Uplinks', { _class: `${models}.transport.LorawanUpload`, network: 'TTS' }),
      phone: await source('SensorLog', 'Phone', { _class: `${models}.transport.TcpServer`, siteId: site }),
      mote: await source('Waspmote', 'Mote', { _class: `${models}.transport.TcpServer`, siteId: `${site}-mote` }),
    };
  };
  const [a, b] = [await sources(mine, 'phone-a'), await sources(theirs, 'phone-b')];
  const uplink = {
    end_device_ids: { dev_eui: '0004A30B001C0530' },
    uplink_message: {
      f_port: 2,
      f_cnt: 5,
      decoded_payload: { moisture: 0.5 },
      received_at: '2024-02-12T15:15:45.789Z',
    },
  };
  const sample = (deviceID: string) => ({ deviceID, loggingTime: '2024-05-15 12:00:00.000 +0200', pressure: '1.5' });
  const send = async (path: string, body: unknown) => {
    // The key of the API that comes along belongs to the other account, and does not matter.
    const headers = { 'Content-Type': 'application/json', 'X-Api-Key': theirs.api.key ?? '' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${url}/upload${path}`, { method: 'POST', headers, body: text });
    return { status: answer.status, text: (await answer.text()).replace(/"(requestId|time)":"[^"]*",?/g, '') };
  };
  const csv = 'time,Taken\n2024-07-01 00:00,1.5\n';
  expect(await send(`/source/${a.http.transport.key}`, csv)).toMatchObject({ status: 202 });
  expect(await send(`/lorawan/${a.lorawan.transport.key}`, uplink)).toMatchObject({ status: 202 });
  expect(await send('/sensorlog', sample('phone-a'))).toMatchObject({ status: 202 });

  const gone = b.http.transport.key;
  await theirs.api.delete(`/nodes/${b.http._id}`);
  await until(async () => (await send(`/source/${gone}`, csv)).status === 404, { what: 'the key is gone' });
  const refusedAlike = async (path: (key: string) => string, body: (key: string) => unknown, keys: string[]) => {
    const nobody = await send(path('never-was-one'), body('never-was-one'));
    expect(nobody.status).toBe(404);
    for (const key of keys) expect(await send(path(key), body(key))).toEqual(nobody);
  };
  const keyOf = ({ transport }: { transport: { key: string } }) => transport.key;
  await refusedAlike(
    (key) => `/source/${key}`,
    () => csv,
    [keyOf(a.lorawan), 'phone-a', a.http._id, gone],
  );
  await refusedAlike(
    (key) => `/lorawan/${key}`,
    () => uplink,
    [keyOf(a.http), 'phone-a', a.lorawan._id],
  );
  await refusedAlike(() => '/sensorlog', sample, [keyOf(a.http), 'phone-a-mote', a.phone._id]);

  const parametersOf = async ({ api }: typeof mine) =>
    (await api.get('/nodes?filter=_class($match:point)&attr=name')).json
      .map(({ name }: { name: string }) => name)
      .sort();
  const own = ['Radio - Counter', 'Radio - Port', 'Taken', 'moisture', 'pressure'];
  await until(async () => (await parametersOf(mine)).length === own.length);
  expect(await parametersOf(mine)).toEqual(own);
  expect(await parametersOf(theirs)).toEqual([]);
});

test('a Location follows the track of a GPX file that is pushed to a source', async () => {
  const { url, api } = installation;
  const models = 'io.svc.models.node';
  const make = async (body: object) => (await api.post('/nodes', body)).json;
  const workspace = await make({ _class: `${models}.Workspace`, name: 'Boats' });
  const boat = await make({ _class: `${models}.location.Location`, name: 'Boat', parentId: workspace._id });
  const tracker = await make({
    _class: `${models}.source.data.Converter`,
    name: 'Tracker',
    parentId: boat._id,
    converterId: 'gpx',
    transport: { _class: `${models}.transport.HttpUpload` },
  });
  const coordinateSeries = { latitude: 'Latitude', longitude: 'Longitude' };
  await api.put(`/nodes/${boat._id}`, { coordinateSourceId: tracker._id, coordinateSeries });
  const gpx = await readFile(
    path.resolve(import.meta.dirname, '../services/processing/test/gpx/cerknicko-jezero.gpx'),
    'utf8',
  );
  // The file is read by itself: of points with one time the last one counts.
  const track = new Map<number, [number, number]>();
  for (const [, lat, lon, time] of gpx.matchAll(/<trkpt lat="([^"]+)" lon="([^"]+)">[\s\S]*?<time>([^<]+)<\/time>/g))
    track.set(Date.parse(time ?? ''), [Number(lat), Number(lon)]);
  expect(track.size).toBeGreaterThan(50);
  const points = [...track].sort(([a], [b]) => a - b);
  const push = () =>
    fetch(`${url}/upload/source/${tracker.transport.key}?name=lake.gpx`, { method: 'POST', body: gpx });
  const position = async () => (await api.get(`/nodes/${boat._id}`)).json.currentValue;
  const last = points.at(-1)?.[1];
  const isThere = async () => String(await position()) === String(last);
  // A file that is pushed before everybody knows that the Location follows moves nothing: it comes again, as from a device.
  await until(
    async () => {
      expect((await push()).status).toBe(202);
      return until(isThere, { deadlineMs: 5_000 });
    },
    { what: 'it is where the track ends' },
  );
  const range = 'startTime=1900-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z';
  const { data } = (await api.get(`/nodes/${boat._id}/historic?${range}`)).json as {
    data: { ts: string; f: { 0: { v: { $coords: [number, number] } } } }[];
  };
  expect(data.map(({ ts, f }) => [Date.parse(ts), f[0].v.$coords])).toEqual(points);
});
