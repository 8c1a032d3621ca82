import { until } from '@catchment/testkit';
import { type Api, jts, unique } from './src/api.ts';
import { type Scales, verticesOf } from './src/chart-reading.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { outlineOf, readOutline } from './src/outlines.ts';

const START = Date.UTC(2023, 0, 1);
const MINUTE = 60_000;
const COUNT = 365 * 1_440;
const END = START + (COUNT - 1) * MINUTE;
const ROWS = 5_000;
const SPIKE_EVERY = 9_973;

const isSpike = (n: number): boolean => n % SPIKE_EVERY === 4_000;
const valueAt = (n: number): number =>
  isSpike(n) ? (n % 2 === 0 ? 1_234.5 : -300) : Math.round(1_000 * Math.sin(n / 700)) / 100 + 0;
const points = Array.from({ length: COUNT }, (_, n) => [START + n * MINUTE, valueAt(n)] as const);

let installation: Installation;
let api: Api;
let nodeId: string;
beforeAll(async () => {
  installation = await startInstallation();
  const account = await installation.account({ name: unique('Peaks') });
  await installation.accountCommand(['update', account.id, '--rows-per-day', '0']);
  api = account.api;
  const { sourceId } = await api.createSite();
  for (let from = 0; from < COUNT; from += ROWS) {
    const rows = points.slice(from, from + ROWS).map(([ms, value]) => [new Date(ms).toISOString(), value] as const);
    const { status } = await api.put(`/nodes/${sourceId}/historic`, jts(['level'], rows, 'm'));
    expect(status).toBe(202);
  }
  nodeId = (await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id`)).json[0]._id;
  const last = new Date(END).toISOString();
  await until(
    async () => (await api.get(`/nodes/${nodeId}/historic?startTime=${last}&endTime=${last}`)).json.data.length === 1,
    { everyMs: 200, what: 'the year can be read' },
  );
});
afterAll(() => installation?.stop());

test.each([1, 997, 1_200, 4_000])(
  'of a year of minutes, %p columns read have the extremes of all records',
  async (width) => {
    expect(await readOutline(api, nodeId, START, END, width)).toEqual(outlineOf(points, START, END, width));
  },
  120_000,
);

test('the picture of a year of minutes shows each spike of one minute, and the extremes of each pixel column', async () => {
  const range = `startTime=${new Date(START).toISOString()}&endTime=${new Date(END).toISOString()}`;
  const { text, status } = await api.get(`/nodes/${nodeId}/historic/chart?${range}&format=SVG`);
  expect(status).toBe(200);
  const json = /<metadata id="chart-scales">([^<]*)</.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const { plot, y } = JSON.parse(json) as Scales;
  const expected = outlineOf(points, START, END, plot.width);
  const vertices = verticesOf(text, expected.length);
  const [low, high] = y.domain;
  const shown = new Set<number>();
  for (const [n, [ms, value]] of expected.entries()) {
    const x = plot.x + ((ms - START) / (END - START)) * plot.width;
    const yOf = plot.y + ((high - value) / (high - low)) * plot.height;
    const vertex = vertices[n] ?? { x: 0, y: 0 };
    expect(Math.hypot(vertex.x - x, vertex.y - yOf)).toBeLessThan(0.1);
    shown.add(ms);
  }
  for (const [n, [ms]] of points.entries()) if (isSpike(n)) expect([ms, shown.has(ms)]).toEqual([ms, true]);
  expect(text).not.toContain('INTERPOLATED');
});
