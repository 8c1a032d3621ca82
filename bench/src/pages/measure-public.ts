import { setTimeout as delay } from 'node:timers/promises';
import { openEventStream, until } from '@catchment/testkit';
import { apiOf } from '../api.ts';
import type { Installation } from '../installation.ts';
import { atMost, type Row } from '../report.ts';

const MODEL = 'io.svc.models.node';
const START_MS = Date.UTC(2024, 0, 1);
const READINGS = 20;
/** Two readings have a pause between them: none of them waits for the one before it. */
const PAUSE_MS = 1_000;
const HIGH = 500;
const BAR_SECONDS = 2;

/**
 * Measures how long a new reading, and the alarm that it raises or ends, is under way to a browser that shows a public page
 * (docs/reference/public-pages.md): from before the request until its tile has come.
 */
export async function measurePublic(installation: Installation, scale: number): Promise<Row[]> {
  const api = apiOf(installation);
  const create = (attributes: object) => api<{ _id: string; publicId: string }>('POST', '/nodes', attributes);
  const workspace = await create({ _class: `${MODEL}.Workspace`, name: 'Public' });
  const place = await create({ _class: `${MODEL}.location.Location`, name: 'River', parentId: workspace._id });
  const source = await create({ _class: `${MODEL}.source.data.Jts`, name: 'Gauge', parentId: place._id });
  const { _id: level } = await create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: source._id,
    format: '0.00',
    isPublic: true,
    statesType: 'RANGE',
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: HIGH, isAlarm: true }],
  });
  const tile = { type: 'VALUE', x: 0, y: 0, w: 6, h: 2, links: [{ nodeId: level }], showAlarms: true };
  const { publicId } = await create({
    _class: `${MODEL}.Dashboard`,
    name: 'Levels',
    parentId: workspace._id,
    isPublic: true,
    tiles: [tile],
  });
  const stream = await openEventStream(`${installation.url}/public/dash/${publicId}/stream`);
  await stream.get(1);
  const write = (n: number, v: number) => {
    const data = [{ ts: new Date(START_MS + n * 60_000).toISOString(), f: { 0: { v } } }];
    return api('PUT', `/nodes/${level}/historic`, { docType: 'jts', version: '1.0', data });
  };
  const values: number[] = [];
  const alarms: number[] = [];
  for (let n = 0; n < Math.max(4, Math.ceil(READINGS * scale)); n += 1) {
    const isHigh = n % 2 === 1;
    const value = (isHigh ? HIGH : 0) + n;
    const from = stream.messages.length;
    const tiles = () => stream.messages.slice(from).filter(({ event }) => event === 'tile');
    const began = performance.now();
    await write(n, value);
    await until(() => tiles().some(({ data }) => data.content.parameter?.number === value), { everyMs: 5 });
    values.push(performance.now() - began);
    // The first reading changes no alarm.
    if (n > 0) {
      await until(() => tiles().some(({ data }) => (data.alarm === 'ACTIVE') === isHigh), { everyMs: 5 });
      alarms.push(performance.now() - began);
    }
    await delay(PAUSE_MS);
  }
  stream.leave();
  return [
    slowest('a new reading until it is on a public page', values),
    slowest('its alarm, raised or ended, until it is there', alarms),
  ];
}

function slowest(name: string, times: readonly number[]): Row {
  const sorted = times.toSorted((a, b) => a - b);
  const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  return atMost(
    `${name}, the slowest of ${sorted.length} (median ${median} ms)`,
    (sorted.at(-1) ?? 0) / 1_000,
    's',
    BAR_SECONDS,
  );
}
