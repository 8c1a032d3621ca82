import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { READ_FORMATS } from '@catchment/query';
import { FORMAT_READERS, pythonEnvironment } from '@catchment/testkit';
import { FIRST_MS, STEP_MS } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';
import { loadSeries, YEAR_RECORDS } from '../loads/read-data.ts';
import { atMost, atMostOfFloor, figure, type Row } from '../report.ts';
import { inTurns, type Timed } from '../watch/in-turns.ts';
import { cpuMsOf, memoryGrowth } from '../watch/processes.ts';

const MIB = 1024 * 1024;
const FRAME = path.resolve(import.meta.dirname, 'frame.py');
/** Arrow takes at most this share of the processor time of JSON. */
const ARROW_BAR = 0.5;

/** Reads a year of minutes in each format, beside JSON in the same run, and as a DataFrame of pandas. */
export async function measureFormats(installation: Installation, scale: number): Promise<Row[]> {
  const id = await loadSeries(installation, {
    name: 'Year',
    firstMs: FIRST_MS,
    stepMs: STEP_MS,
    records: YEAR_RECORDS,
  });
  const { historic = 0, gateway = 0 } = await installation.pids();
  const pids = [...new Set([historic, gateway])];
  const [from, to] = [FIRST_MS, FIRST_MS + YEAR_RECORDS * STEP_MS].map((ms) => new Date(ms).toISOString());
  const url = `${installation.url}/api/v1/nodes/${id}/historic?startTime=${from}&endTime=${to}`;
  const read = (format: string) => async () => {
    const answer = await fetch(`${url}&format=${format}`, {
      headers: { 'x-api-key': installation.key, 'accept-encoding': 'identity' },
    });
    let bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += chunk.byteLength;
    if (!answer.ok || bytes < YEAR_RECORDS)
      throw new Error(`format=${format} answered ${answer.status}, ${bytes} bytes`);
    return bytes;
  };
  const processorMs =
    (format: string): Timed =>
    async () => {
      const before = await cpuMsOf(pids);
      await read(format)();
      return (await cpuMsOf(pids)) - before;
    };
  const times = Math.max(3, Math.ceil(7 * scale));
  const rows: Row[] = [];
  for (const format of READ_FORMATS.filter((format) => format !== 'JSON')) {
    const name = `525 600 records of one series, ${format}`;
    const grown = await memoryGrowth(pids, read(format));
    const { ownMs, floorMs } = await inTurns(times, processorMs(format), processorMs('JSON'));
    const cpu = `${name}: processor time of historic + gateway (JSON: ${floorMs.toFixed(0)} ms)`;
    const ratio = atMostOfFloor(cpu, ownMs, 'ms', floorMs, ARROW_BAR);
    rows.push(format === 'ARROW' ? ratio : { ...ratio, bar: null, holds: null });
    rows.push(atMost(`${name}: RSS growth of historic + gateway`, grown / MIB, 'MiB', 64));
    rows.push(figure(`${name}: size`, (await read(format)()) / MIB, 'MiB'));
  }
  return [...rows, ...(await frames(url, installation.key, times))];
}

async function frames(url: string, key: string, times: number): Promise<Row[]> {
  const python = await pythonEnvironment('formats', FORMAT_READERS);
  const env = { ...process.env, URL: url, KEY: key, RECORDS: String(YEAR_RECORDS), TURNS: String(times) };
  const { stdout } = await promisify(execFile)(python, [FRAME], { env });
  const { grown, frame, jsonMs, arrowMs } = JSON.parse(stdout) as Record<
    'grown' | 'frame' | 'jsonMs' | 'arrowMs',
    number
  >;
  const name = '525 600 records into a DataFrame of pandas';
  return [
    atMostOfFloor(`${name} by ARROW (JSON by hand: ${jsonMs.toFixed(0)} ms)`, arrowMs, 'ms', jsonMs, 0.25),
    atMostOfFloor(
      `${name} by ARROW: growth of the process (frame: ${(frame / MIB).toFixed(1)} MiB)`,
      grown / MIB,
      'MiB',
      frame / MIB,
      3,
    ),
  ];
}
