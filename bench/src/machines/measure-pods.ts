import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Api, apiOf } from '../api.ts';
import type { Installation } from '../installation.ts';
import { imei } from '../loads/modem.ts';
import { loadSeries } from '../loads/read-data.ts';
import type { Row } from '../report.ts';
import { memoryBelow, memoryOf, SERVICES } from '../watch/memory.ts';
import { podLimits } from '../watch/pod-limits.ts';

const MODEL = 'io.svc.models.node';
const MIB = 1024 * 1024;
const BAR = 0.8;
const SAMPLE_EVERY_MS = 100;
const MODEMS = 40;
const MESSAGE_BYTES = 5 * MIB;
const FILES = 8;
const SESSIONS = 16;
const SERIES = { name: 'Level', firstMs: Date.UTC(2023, 0, 1), records: 50_000, stepMs: 60_000 };
const REPORTS = 12;
const CHARTS = 12;
/** A load that does not end by itself is watched for this long. */
const WATCH_MS = 45_000;

/** Sources may connect to this machine. */
export const PODS_ENV = { EGRESS_ALLOWED_RANGES: '127.0.0.0/8' };

type Site = {
  readonly installation: Installation;
  readonly api: Api;
  readonly parentId: string;
};
type Load = { readonly name: string; readonly run: (site: Site) => Promise<string> };

/** People, devices and a hostile server may do these at once; the memory of each pod is compared with the chart's limit. */
const LOADS: readonly Load[] = [
  { name: 'half messages', run: halfMessages },
  { name: 'whole messages', run: wholeMessages },
  { name: 'packed files', run: packedFiles },
  { name: 'hostile S3', run: hostileS3 },
  { name: 'reports', run: reports },
];

/** @param scale share of what comes at once */
export async function measurePods(installation: Installation, _scale: number): Promise<Row[]> {
  const api = apiOf(installation);
  const { _id: workspaceId } = await api<{ _id: string }>('POST', '/nodes', {
    _class: `${MODEL}.Workspace`,
    name: 'Pods',
  });
  const { _id: parentId } = await api<{ _id: string }>('POST', '/nodes', {
    _class: `${MODEL}.location.Location`,
    name: 'Site',
    parentId: workspaceId,
  });
  const site = { installation, api, parentId };
  const limits = await podLimits(SERVICES);
  const pids = await installation.pids();
  const phases = [{ name: 'idle', peaks: await peaksOf(pids, () => delay(2_000)) }];
  for (const { name, run } of LOADS) {
    let said = '';
    const peaks = await peaksOf(pids, async () => {
      // A load that fails leaves the figures of the others.
      said = await run(site).catch((error: Error) => `failed: ${error.message}`);
    });
    console.log(`  ${name}: ${said}`);
    phases.push({ name, peaks });
  }
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const head = ['service', ...phases.map(({ name }) => name), 'highest', "pod's limit", 'share'];
  const highest = (service: string) => Math.max(...phases.map(({ peaks }) => peaks[service] ?? 0));
  console.log(['', row(head), row(head.map(() => '---'))].join('\n'));
  for (const service of SERVICES) {
    const limit = limits[service] ?? Number.NaN;
    const each = phases.map(({ peaks }) => peaks[service] ?? 0);
    console.log(row([service, ...each, highest(service), limit, `${Math.round((highest(service) / limit) * 100)} %`]));
  }
  return SERVICES.map((service) => {
    const limit = limits[service] ?? Number.NaN;
    const value = highest(service);
    const ratio = Math.round((value / limit) * 100) / 100;
    const name = `peak memory of ${service}, its children too, under loads of devices, files, servers and reports (pod: ${limit} MiB)`;
    return { name, value, unit: 'MiB', ratio, bar: BAR, holds: value <= BAR * limit };
  });
}

/** Returns the highest memory of each service with what it has started, MiB. */
async function peaksOf(pids: Readonly<Record<string, number>>, work: () => Promise<unknown>) {
  const peaks: Record<string, number> = {};
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(SAMPLE_EVERY_MS))
      for (const service of SERVICES) {
        const pid = pids[service] ?? 0;
        const mib = Math.round(((await memoryOf(pid)).rss + (await memoryBelow(pid))) / MIB);
        peaks[service] = Math.max(peaks[service] ?? 0, mib);
      }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  return peaks;
}

const create = async ({ api, parentId }: Site, body: object): Promise<string> =>
  (await api<{ _id: string }>('POST', '/nodes', { parentId, ...body }))._id;

/** Returns the largest message that a modem may send: records of one parameter. */
function messageOf(seq: number): Buffer {
  const start = `{"type":"data","seq":${seq},"jts":{"docType":"jts","version":"1.0","header":{"columns":{"0":{"name":"Level","dataType":"NUMBER"}}},"data":[`;
  const records: string[] = [];
  let bytes = start.length;
  for (let n = 0; bytes < MESSAGE_BYTES - 200 && n < 49_000; n += 1) {
    const record = `{"ts":"${new Date(1.7e12 + n * 1_000).toISOString()}","f":{"0":{"v":${n},"a":"${'x'.repeat(40)}"}}}`;
    records.push(record);
    bytes += record.length + 1;
  }
  return Buffer.from(`${start}${records.join()}]}}\n`);
}

/** Modems that are welcome. */
async function connected(site: Site, first: number): Promise<{ socket: Socket; answers: string[] }[]> {
  const { scout } = await site.installation.ports();
  const all: { socket: Socket; answers: string[] }[] = [];
  for (let n = 0; n < MODEMS; n += 1) {
    const deviceKey = imei(first + n);
    const transport = { _class: `${MODEL}.transport.Scout`, deviceId: deviceKey };
    await create(site, { _class: `${MODEL}.source.data.Jts`, name: `Modem ${first + n}`, transport });
    for (let isWelcome = false; !isWelcome; ) {
      const socket = connect({ host: '127.0.0.1', port: scout });
      const answers: string[] = [];
      socket.on('error', () => undefined).on('data', (bytes) => answers.push(bytes.toString()));
      socket.write(`{"type":"ident","deviceKey":"${deviceKey}","session":"pods"}\n`);
      for (let tries = 0; tries < 100 && answers.length === 0; tries += 1) await delay(50);
      isWelcome = answers.join('').includes('"welcome"');
      if (isWelcome) all.push({ socket, answers });
      else socket.destroy();
    }
  }
  return all;
}

async function halfMessages(site: Site): Promise<string> {
  const modems = await connected(site, 1_000);
  const message = messageOf(1);
  for (const { socket } of modems) socket.write(message.subarray(0, message.length / 2));
  await delay(10_000);
  const open = modems.filter(({ socket }) => !socket.destroyed).length;
  for (const { socket } of modems) socket.destroy();
  return `${MODEMS} modems hold half of ${Math.round(message.length / MIB)} MiB; ${open} are still connected`;
}

async function wholeMessages(site: Site): Promise<string> {
  const modems = await connected(site, 2_000);
  const message = messageOf(1);
  for (const { socket } of modems) socket.write(message);
  await delay(WATCH_MS);
  const acknowledged = modems.filter(({ answers }) => answers.join('').includes('"ack"')).length;
  for (const { socket } of modems) socket.destroy();
  return `${acknowledged} of ${MODEMS} messages of ${Math.round(message.length / MIB)} MiB acknowledged in ${WATCH_MS / 1_000} s`;
}

async function packedFiles(site: Site): Promise<string> {
  const head = `t,Level\n${'2024-01-01T00:00:00Z,1\n'.repeat(1_000)}`;
  const contents = [
    `${head}${'2024-01-01T00:00:01Z,2\n'.repeat(3_000_000)}`,
    head + ','.repeat(240 * MIB),
    head + '"",'.repeat(80 * MIB),
    `${head}2024-01-01T00:00:01Z${',1'.repeat(100 * MIB)}`,
  ].map((text) => gzipSync(text));
  const { installation } = site;
  const statuses = await Promise.all(
    Array.from({ length: FILES }, async (_, n) => {
      const id = await create(site, { _class: `${MODEL}.source.data.TextParser`, name: `Files ${n}` });
      const body = contents[n % contents.length] ?? Buffer.alloc(0);
      const url = `${installation.url}/api/v1/nodes/${id}/files?name=a${n}.csv.gz`;
      const headers = { 'x-api-key': installation.key, 'content-type': 'application/octet-stream' };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    }),
  );
  await delay(WATCH_MS);
  return `${FILES} files of up to ${Math.round(Math.max(...contents.map(({ length }) => length)) / 1024)} KiB packed: ${statuses.join(' ')}`;
}

async function hostileS3(site: Site): Promise<string> {
  let sent = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml' });
    const piece = '<Contents><Key>k.csv</Key><Size>1</Size></Contents>'.repeat(1_000);
    const more = (): void => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let n = 0; n < SESSIONS; n += 1) {
    const transport = { _class: `${MODEL}.transport.S3`, bucket: 'bucket', accessKeyId: 'a', secret: 's', endpoint };
    const id = await create(site, { _class: `${MODEL}.source.data.TextParser`, name: `S3 ${n}`, transport });
    await site.api('POST', `/nodes/${id}/operate/acquire`, {}).catch(() => undefined);
  }
  await delay(20_000);
  server.closeAllConnections();
  server.close();
  return `${SESSIONS} sessions with a list without an end took ${Math.round(sent / MIB)} MiB of it`;
}

/** Makes reports of several pages, with charts of a series of 50 000 records. */
async function reports(site: Site): Promise<string> {
  const { api, installation } = site;
  const nodeId = await loadSeries(installation, SERIES);
  const { workspaceId } = await api<{ workspaceId: string }>('GET', `/nodes/${nodeId}`);
  const image = { type: 'IMAGE', x: 40, width: 500, height: 300, source: '{{ Level.image }}' };
  const elements = Array.from({ length: CHARTS }, (_, n) => ({ ...image, y: 20 + n * 320 }));
  const reportId = await create(site, {
    _class: `${MODEL}.Report`,
    parentId: workspaceId,
    name: 'Large',
    links: [{ nodeId, name: 'Level' }],
    template: { elements },
  });
  const statuses = await Promise.all(
    Array.from({ length: REPORTS }, async () => {
      const answer = await fetch(
        `${installation.url}/api/v1/nodes/${reportId}/report?nowTime=${new Date(SERIES.firstMs + SERIES.records * SERIES.stepMs).toISOString()}`,
        {
          headers: { 'x-api-key': installation.key },
        },
      );
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  return `${REPORTS} reports of ${CHARTS} charts at once: ${statuses.join(' ')}`;
}
