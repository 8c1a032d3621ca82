import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { type Api, apiOf } from '../api.ts';
import { FIRST_MS, STEP_MS, value } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';
import { atLeast, atMost, processorTime, type Row } from '../report.ts';
import { openBus, untilRead } from '../watch/log-readers.ts';
import { cpuByProcess, cpuOfEach, memoryGrowth } from '../watch/processes.ts';

const MODEL = 'io.svc.models.node';
const MB = 1_000_000;
const MIB = 1024 * 1024;
const FILE_BYTES = 250 * MB;
/** The code is compiled, and the parameters are there, before the clock starts. */
const WARM_UP_BYTES = 5 * MB;
const LEAST_MB_PER_MINUTE = 60;
const MOST_GROWTH_MIB = 200;
const LIMIT_MS = 1_800_000;
const LOOK_EVERY_MS = 250;
const PIECE_BYTES = 256 * 1024;

/** A logger of soil has these columns. */
const SERIES = [
  ...['VW_Avg(1)', 'VW_Avg(2)', 'VW_Avg(3)'].map((name) => ({ name, units: '' })),
  ...Array.from({ length: 8 }, (_, n) => ({ name: `SoilTemp_Avg(${n + 1})`, units: 'Deg C' })),
  { name: 'BattV_Min', units: 'Volts' },
  { name: 'PTemp_C_Avg', units: 'Deg C' },
];

/** Measures a TOA5 file of 250 MB, sent gzipped by HTTP upload, until all of it is readable. @param scale share of its size */
export async function measureFiles(installation: Installation, scale: number): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-bench-files-'));
  const api = apiOf(installation);
  const bus = await openBus(installation);
  try {
    const source = await makeSource(api);
    const bytes = FILE_BYTES * scale;
    const warmUp = await writeToa5(path.join(folder, 'warm-up.dat.gz'), WARM_UP_BYTES, 0);
    const file = await writeToa5(path.join(folder, 'table.dat.gz'), bytes, warmUp.endRow);
    const store = async ({ name, rows, endRow }: Written) => {
      await sendFile(installation, source, name);
      await untilStored(api, source.id, rows);
      await untilRead(bus);
      await checkLast(api, source.id, endRow - 1);
    };
    await store(warmUp);
    const pids = await installation.pids();
    const { devices = 0, historic = 0, gateway = 0 } = pids;
    const before = await cpuByProcess(pids);
    const began = performance.now();
    const work = store(file);
    const [growth = 0, ...each] = await Promise.all(
      [[devices, historic], [devices], [historic], [gateway]].map((of) => memoryGrowth(of, () => work)),
    );
    const [ofDevices = 0, ofHistoric = 0, ofGateway = 0] = each.map((bytes) => Math.round(bytes / MIB));
    const minutes = (performance.now() - began) / 60_000;
    const cpuMs = cpuOfEach(before, await cpuByProcess(pids), bytes / MB);
    const packed = (await stat(file.name)).size / MB;
    const name = `TOA5 file of ${Math.round(bytes / MB)} MB (${SERIES.length} series, ${file.rows} records), gzipped to ${Math.round(packed)} MB, by HTTP upload`;
    return [
      atLeast(name, bytes / MB / minutes, 'MB/min', LEAST_MB_PER_MINUTE),
      atMost(
        `the same: growth of devices and historic (RSS; each for itself ${ofDevices} and ${ofHistoric}, gateway ${ofGateway} MiB)`,
        ...([growth / MIB, 'MiB', MOST_GROWTH_MIB] as const),
      ),
      processorTime('the same, a MB', cpuMs),
    ];
  } finally {
    await bus.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Source = { readonly id: string; readonly key: string };

export async function makeSource(api: Api): Promise<Source> {
  const create = async (body: object) => (await api<{ _id: string }>('POST', '/nodes', body))._id;
  const workspace = await create({ _class: `${MODEL}.Workspace`, name: `Files ${Date.now()}` });
  const parentId = await create({ _class: `${MODEL}.location.Location`, name: 'Site', parentId: workspace });
  const transport = { _class: `${MODEL}.transport.HttpUpload` };
  const id = await create({ _class: `${MODEL}.source.data.TextParser`, name: 'Logger', parentId, transport });
  const [node] = await api<{ transport: { key: string } }[]>('GET', `/nodes?filter=_id($eq:${id})&attr=transport`);
  return { id, key: node?.transport.key ?? '' };
}

type Written = { readonly name: string; readonly rows: number; readonly endRow: number };

/** @param firstRow by which records and their times go on */
export async function writeToa5(name: string, bytes: number, firstRow: number): Promise<Written> {
  let row = firstRow;
  function* pieces() {
    let piece = headerOf();
    for (let written = 0; written + piece.length < bytes; row += 1) {
      piece += lineOf(row);
      if (piece.length < PIECE_BYTES) continue;
      yield piece;
      written += piece.length;
      piece = '';
    }
    yield piece;
  }
  await pipeline(pieces, createGzip(), createWriteStream(name));
  return { name, rows: row - firstRow, endRow: row };
}

const quoted = (texts: readonly string[]): string => `${texts.map((text) => `"${text}"`).join(',')}\r\n`;

const headerOf = (): string =>
  [
    ['TOA5', 'WTC01', 'CR3000', '5118', 'CR3000.Std.11', 'CPU:WTC.CR3', '25321', 'Table1'],
    ['TIMESTAMP', 'RECORD', ...SERIES.map(({ name }) => name)],
    ['TS', 'RN', ...SERIES.map(({ units }) => units)],
    ['', '', ...SERIES.map(() => 'Avg')],
  ]
    .map(quoted)
    .join('');

function lineOf(row: number): string {
  const time = new Date(FIRST_MS + row * STEP_MS).toISOString();
  let line = `"${time.slice(0, 10)} ${time.slice(11, 19)}",${row}`;
  for (let n = 0; n < SERIES.length; n += 1) line += `,${value(row + 97 * n)}`;
  return `${line}\r\n`;
}

export async function sendFile({ url }: Installation, { key }: Source, file: string): Promise<void> {
  const answer = await fetch(`${url}/upload/source/${key}?name=${path.basename(file)}`, {
    method: 'POST',
    body: createReadStream(file),
    duplex: 'half',
  } as RequestInit);
  if (answer.status !== 202) throw new Error(`the upload answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Waits until the file is settled: its records are in the log. */
export async function untilStored(api: Api, sourceId: string, rows: number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const of = `/nodes?filter=_id($eq:${sourceId})&attr=lastAcquireRecordCount,currentStatus`;
    const [node] = await api<{ lastAcquireRecordCount: number; currentStatus: string }[]>('GET', of);
    if (node?.lastAcquireRecordCount === rows && node.currentStatus === 'IDLE') return;
    if (performance.now() > deadline) throw new Error(`the file was not stored: ${JSON.stringify(node)}`);
    await delay(LOOK_EVERY_MS);
  }
}

async function checkLast(api: Api, sourceId: string, row: number): Promise<void> {
  const last = new Date(FIRST_MS + row * STEP_MS).toISOString();
  const parameters = await api<{ _id: string }[]>('GET', `/nodes?attr=_id&filter=parentId($eq:${sourceId})`);
  if (parameters.length !== SERIES.length) throw new Error(`there are ${parameters.length} parameters`);
  for (const { _id } of parameters) {
    const { data } = await api<{ data: unknown[] }>('GET', `/nodes/${_id}/historic?startTime=${last}&endTime=${last}`);
    if (data.length !== 1) throw new Error(`the last record of ${_id} at ${last} is not readable`);
  }
}
