// Locations follow a data source (docs/reference/node-tree.md#coordinates-of-a-location).
import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { type Historic, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic.close());

const T = Date.UTC(2024, 0, 1);
const place = (ownerId: string, name = 'Buoy') =>
  historic.parameter({ valueType: TYPES.COORDINATES }, { ownerId, class: 'location.Location', name });

/** Makes a source with Locations that follow it. @param pairs series of latitude and longitude; none: its COORDINATES column */
function followed(...pairs: readonly (readonly [string, string])[]) {
  const ownerId = newObjectId();
  const places = pairs.map((_, n) => place(ownerId, `Buoy ${n}`));
  const followers = pairs.map(([latitude, longitude], n) => ({ locationId: places[n]!.nodeId, latitude, longitude }));
  const source = historic.source({ ownerId, source: NodeConfig.fromPartial({ source: { followers } }).source });
  return { source, places };
}

type Row = readonly [second: number, ...values: unknown[]];
/** Columns are named by their series. */
const document = (columns: readonly (readonly [series: string, dataType: string])[], ...rows: readonly Row[]) => ({
  docType: 'jts',
  version: '1.0',
  header: { columns: Object.fromEntries(columns.map(([series, dataType], n) => [n, { series, dataType }])) },
  data: rows.map(([second, ...values]) => ({
    ts: new Date(T + second * 1_000).toISOString(),
    f: Object.fromEntries(values.flatMap((value, n) => (value === undefined ? [] : [[n, value]]))),
  })),
});
const LAT_LON = [
  ['lat', 'NUMBER'],
  ['lon', 'NUMBER'],
] as const;
const v = (value: unknown, q?: number) => ({ v: value, ...(q !== undefined && { q }) });

async function track(node: NodeConfig) {
  await historic.idle();
  const { text } = await historic.readText(node, {
    startTime: '1970-01-01T00:00:00Z',
    endTime: '2100-01-01T00:00:00Z',
  });
  const { data } = JSON.parse(text) as { data: { ts: string; f: { 0: { v: { $coords: number[] }; q?: number } } }[] };
  return data.map(({ ts, f }) => [
    (Date.parse(ts) - T) / 1_000,
    ...f[0].v.$coords,
    ...(f[0].q === undefined ? [] : [f[0].q]),
  ]);
}
const acquired = (source: NodeConfig) =>
  historic.applied.flatMap(({ acquisitions }) => acquisitions).filter(({ nodeId }) => nodeId === source.nodeId);

test('two number series of one write are the coordinates, where both have a value', async () => {
  const { source, places } = followed(['lat', 'lon']);
  await historic.write(source, document(LAT_LON, [0, v(-33.5), v(151)], [1, v(-33.6), undefined], [2, v(null), v(1)]));
  await historic.write(source, document(LAT_LON, [5, v(-34, 7), v(152)], [0, v(-33.4), v(151)]));
  await historic.write(source, document([['lat', 'NUMBER']], [9, v(1)]));
  expect(await track(places[0]!)).toEqual([
    [0, -33.4, 151],
    [5, -34, 152, 7],
  ]);
});

test('numbers count as they are shown; a parameter is named by its series key or its name', async () => {
  const { source, places } = followed(['latitude', 'lon']);
  historic.child(source, { name: 'Latitude', series: { seriesKey: 'y', multiplier: 0.01 } });
  historic.child(source, { name: 'Longitude', series: { seriesKey: 'lon', equation: 'x / 60' } });
  const named = [
    ['y', 'NUMBER'],
    ['lon', 'NUMBER'],
  ] as const;
  await historic.write(source, document(named, [0, v(-3350), v(120)]));
  expect(await track(places[0]!)).toEqual([[0, -33.5, 2]]);
});

test('coordinates out of range are left out and reported as a fault of the source, which the write does not clear', async () => {
  const { source, places } = followed(['lat', 'lon']);
  await historic.write(source, document(LAT_LON, [0, v(91), v(0)], [1, v(1), v(-180.5)], [2, v(90), v(180)]));
  expect(await track(places[0]!)).toEqual([[2, 90, 180]]);
  expect(acquired(source).map(({ rows, fault, continues }) => [rows, fault, continues])).toEqual([
    [3, '', true],
    [0, "2 records have no valid coordinates for 'Buoy 0'", false],
  ]);
  await historic.write(source, document(LAT_LON, [3, v(1), v(1)]));
  await historic.idle();
  expect(acquired(source).at(-1)).toMatchObject({ rows: 1, fault: '', continues: false });
});

test('a COORDINATES column goes to every Location that names no series', async () => {
  const { source, places } = followed(['', ''], ['', ''], ['lat', 'lon']);
  await historic.write(source, document([['gps', 'COORDINATES']], [0, v({ $coords: [10, 20] })]));
  expect(await Promise.all(places.map(track))).toEqual([[[0, 10, 20]], [[0, 10, 20]], []]);
});

test('deletes of numbers move no Location', async () => {
  const { source, places } = followed(['lat', 'lon']);
  await historic.write(source, document(LAT_LON, [0, v(1), v(2)]));
  await historic.write(source, document(LAT_LON, [0, null, null]), { writeMode: 'DELETE' });
  expect(await track(places[0]!)).toEqual([[0, 1, 2]]);
});

test('writes of a session say so', async () => {
  const { source } = followed();
  await historic.write(source, document(LAT_LON, [0, v(1), v(2)]), { inSession: true });
  await historic.write(source, document(LAT_LON, [1, v(1), v(2)]));
  await historic.idle();
  expect(acquired(source).map(({ inSession }) => inSession ?? false)).toEqual([true, false]);
});
