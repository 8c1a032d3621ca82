import { newObjectId } from '@catchment/ids';
import { caller, type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const T0 = Date.UTC(2024, 0, 1);
const MIN = 60_000;
const iso = (minute: number) => new Date(T0 + minute * MIN).toISOString();
const DAY = { startTime: iso(0), endTime: iso(24 * 60) };
const HOURLY = { baseTime: 'D', interval: '1H' };

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

/** A level of every 30 minutes until 02:30, rain of two moments, and a text without data, in one account. */
async function station() {
  const level = historic.parameter({ units: 'm' }, { name: 'Level' });
  const shared = { ownerId: level.ownerId, workspaceId: level.workspaceId };
  const rain = historic.parameter({ units: 'mm' }, { ...shared, name: 'Rain', customId: 'rain' });
  const note = historic.parameter({ valueType: TYPES.TEXT }, { ...shared, name: 'Note' });
  await historic.write(level, jts([0, 1, 2, 3, 4, 5].map((n) => [T0 + n * 30 * MIN, { v: n }])));
  await historic.write(
    rain,
    jts([
      [T0 + 30 * MIN, { v: 7, q: 155 }],
      [T0 + 61 * MIN, { v: 8, a: 'x' }],
    ]),
  );
  await historic.idle();
  const who = caller(level.ownerId);
  const read = async (params: string, given: Record<string, string> = DAY) =>
    historic.readMany({ ...given, params }, who, T0 + 48 * 60 * MIN);
  const rows = async (params: string, given?: Record<string, string>) =>
    JSON.parse(await read(params, given)).data.map(({ ts, f }: { ts: string; f: object }) => [
      (Date.parse(ts) - T0) / MIN,
      f,
    ]);
  return { level, rain, note, who, read, rows };
}

test('columns meet on exact times; the header has all of them, also without data', async () => {
  const { level, note, read, rows } = await station();
  const params = `${level.nodeId},@rain,${note.nodeId}`;
  expect((await rows(params)).slice(0, 4)).toEqual([
    [0, { 0: { v: 0 } }],
    [30, { 0: { v: 1 }, 1: { v: 7, q: 155 } }],
    [60, { 0: { v: 2 } }],
    [61, { 1: { v: 8, a: 'x' } }],
  ]);
  const { header } = JSON.parse(await read(params));
  expect(header).toMatchObject({
    recordCount: 7,
    columns: {
      0: { id: level.nodeId, name: 'Level', units: 'm', aggregate: 'NONE' },
      1: { name: 'Rain', units: 'mm' },
      2: { id: note.nodeId, name: 'Note', dataType: 'TEXT' },
    },
  });
});

test('the same node twice, with aggregates of its own', async () => {
  const { level, read, rows } = await station();
  const params = `${level.nodeId}(aggregate:AVERAGE;baseTime:D;interval:2h),${level.nodeId}(aggregate:MAXIMUM)`;
  const given = { ...DAY, ...HOURLY, endTime: iso(180) };
  expect(await rows(params, given)).toEqual([
    [0, { 0: { v: 1.5 }, 1: { v: 1 } }],
    [60, { 1: { v: 3 } }],
    [120, { 0: { v: 4.5 }, 1: { v: 5 } }],
  ]);
  expect(JSON.parse(await read(params, given)).header.columns).toMatchObject({
    0: { aggregate: 'AVERAGE', baseTime: 'D', interval: '2H' },
    1: { aggregate: 'MAX', baseTime: 'D', interval: '1H' },
  });
});

test('a limit counts rows over all columns', async () => {
  const { level, rows } = await station();
  const params = `${level.nodeId},@rain`;
  const minutes = async (given: Record<string, string>) => (await rows(params, given)).map(([at]: [number]) => at);
  expect(await minutes({ startTime: iso(30), limit: '3' })).toEqual([30, 60, 61]);
  expect(await minutes({ endTime: iso(90), limit: '3' })).toEqual([60, 61, 90]);
  expect(await minutes({ limit: '2' })).toEqual([120, 150]);
  // FIRST and LAST are of all series.
  expect(await minutes({ startTime: 'FIRST+40M', endTime: 'LAST-60M' })).toEqual([60, 61, 90]);
});

test('the rows that were written first, over all columns', async () => {
  const { level, rows } = await station();
  await historic.write(level, jts([[T0 + 61 * MIN, { v: 99 }]]));
  await historic.idle();
  const given = { timeQuery: 'MODIFIED', endTime: 'NOW', limit: '1' };
  const read = await historic.readMany({ ...given, params: `${level.nodeId},@rain` }, caller(level.ownerId));
  expect(JSON.parse(read).data).toEqual([{ ts: iso(61), f: { 0: { v: 99 }, 1: { v: 8, a: 'x' } } }]);
  expect(await rows(`${level.nodeId}`, { ...DAY, limit: '1' })).toEqual([[0, { 0: { v: 0 } }]]);
});

test('CSV with aggregates and qualities', async () => {
  const { level, read } = await station();
  const given = { ...DAY, ...HOURLY, endTime: iso(180), format: 'CSV', header: 'FALSE', quality: 'SEPARATE_VALUE' };
  expect(await read(`${level.nodeId}(aggregate:TOTAL),@rain(aggregate:COUNT)`, given)).toBe(
    [`${iso(0)},1,,0,155`, `${iso(60)},5,,1,`, `${iso(120)},9,,0,165`, ''].join('\n'),
  );
});

test('100 columns, read a few at a time', async () => {
  const { level, rows } = await station();
  const [first] = await rows(Array(100).fill(level.nodeId).join(','));
  expect(Object.keys(first[1])).toHaveLength(100);
});

test('what is refused', async () => {
  const { level, note, read } = await station();
  const folder = historic.source({ ownerId: level.ownerId, workspaceId: level.workspaceId });
  const bad = { kind: 'invalid_argument' };
  await expect(read('')).rejects.toMatchObject({ ...bad, message: expect.stringContaining('params') });
  await expect(read(`${level.nodeId},${folder.nodeId}`)).rejects.toMatchObject(bad);
  await expect(read(`${note.nodeId}(aggregate:MEDIAN)`, { ...DAY, ...HOURLY })).rejects.toMatchObject({
    ...bad,
    message: expect.stringContaining('aggregate: MEDIAN needs a number parameter'),
  });
  await expect(read(`${level.nodeId},${newObjectId()}`)).rejects.toMatchObject({ kind: 'not_found' });
  const foreign = historic.parameter();
  await expect(read(`${level.nodeId},${foreign.nodeId}`)).rejects.toMatchObject({ kind: 'not_found' });
  const limited = caller(level.ownerId, { accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [newObjectId()] });
  await expect(historic.readMany({ ...DAY, params: level.nodeId }, limited)).rejects.toMatchObject({
    kind: 'permission_denied',
  });
});

test('more fields than an answer may have, over all columns', async () => {
  const { level } = await station();
  const given = { startTime: iso(0), endTime: iso(50_000 / 60), ...HOURLY, interval: '1S', aggregate: 'COUNT' };
  const three = [level, level, level].map(({ nodeId }) => nodeId).join(',');
  await expect(historic.readMany({ ...given, params: three }, caller(level.ownerId))).rejects.toMatchObject({
    kind: 'too_large',
  });
});

test('columns for other services: an aggregate by the same arguments', async () => {
  const { level, rain } = await station();
  const range = { startMs: T0, endMs: T0 + 180 * MIN };
  const [chunk] = await historic.readSeries(level, { ...range, arguments: { ...HOURLY, aggregate: 'END' } });
  const numbers = (bytes: Uint8Array | undefined) => {
    const copy = Uint8Array.from(bytes ?? []);
    return [...new Float64Array(copy.buffer)];
  };
  expect(numbers(chunk?.timestamps)).toEqual([0, 60, 120].map((minute) => T0 + minute * MIN));
  expect(numbers(chunk?.numbers)).toEqual([1, 3, 5]);
  expect(chunk?.valueType).toBe(TYPES.NUMBER);
  const [own] = await historic.readSeries(rain, { ...range, arguments: { qualityExcluded: 'BAD' } });
  expect(numbers(own?.numbers)).toEqual([8]);
  const refused = historic.readSeries(level, { ...range, bounding: true, arguments: { aggregate: 'CHANGE' } });
  await expect(refused).rejects.toMatchObject({ kind: 'invalid_argument' });
});
