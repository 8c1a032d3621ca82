import { until } from '@catchment/testkit';
import { type Api, jts, MODEL, unique } from './src/api.ts';
import { scalesOf, verticesOf } from './src/chart-reading.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { numpyData, numpyResults } from './src/numpy-aggregates.ts';
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
  const { plot, y } = scalesOf(text);
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

/** Each series has aggregates that suit it: every way to look at them shows what numpy computes. */
const AGGREGATES = [
  ['direction', 'CIRCULAR_MEAN', null],
  ['level', 'TIME_WEIGHTED_MEAN', null],
  ['level', 'PERCENTILE', 90],
  ['level', 'STDDEV', null],
  ['counter', 'COUNTER_INCREASE', null],
  ['counter', 'COUNTER_RATE', null],
] as const;

describe('aggregates of series with bad qualities, gaps, resets and a day of 23 hours are what numpy computes', () => {
  const BERLIN = 'timezone=Europe/Berlin&timezoneAdjustForDst=TRUE';
  const ids: Record<string, string> = {};
  let page: string;
  /** Asks with an argument, as programs do. */
  const asked = (aggregate: string, percentile: number | null) => ({
    aggregate,
    ...(percentile !== null && { percentile }),
  });
  const what = (aggregate: string, percentile: number | null) =>
    percentile === null ? aggregate : `${aggregate}(${percentile})`;

  beforeAll(async () => {
    const { workspaceId, sourceId } = await api.createSite();
    const zone = { timezone: 'Europe/Berlin', timezoneAdjustForDst: true };
    expect((await api.put(`/nodes/${sourceId}`, zone)).status).toBe(200);
    for (const name of ['level', 'direction', 'counter']) {
      const point = { _class: `${MODEL}.point.NumberPoint`, parentId: sourceId, name, series: name };
      ids[name] = (await api.create({ ...point, format: '0.000000000' }))._id;
      const data = numpyData.series[name]!.map(([ms, v, q]) => ({
        ts: new Date(ms).toISOString(),
        f: { 0: { ...(v === null ? { a: 'no value' } : { v }), ...(q !== null && { q }) } },
      }));
      const header = { columns: { 0: { series: name } } };
      const document = { docType: 'jts', version: '1.0', header, data };
      expect((await api.put(`/nodes/${sourceId}/historic`, document)).status).toBe(202);
      const count = numpyData.series[name]!.length;
      await until(
        async () =>
          (await api.get(`/nodes/${ids[name]}/historic?startTime=2024-01-01&limit=1000`)).json.data.length === count,
        { what: `${name} can be read` },
      );
    }
    const tiles = [];
    for (const [n, [name, aggregate, percentile]] of AGGREGATES.entries()) {
      const code = `return NUMBER('${name};${what(aggregate, percentile)};D;1D').currentValue;`;
      const point = { _class: `${MODEL}.point.NumberProcessPoint`, parentId: sourceId, name: `${n}` };
      ids[`program ${n}`] = (await api.create({ ...point, process: { code, aggregateInputs: 'COMPLETE' } }))._id;
      const { startMs, endMs } = numpyResults(name, aggregate, percentile, '1H');
      const given = { ...asked(aggregate, percentile), type: aggregate, interval: '1H', baseTime: 'D' };
      const { aggregate: _, ...aggregation } = { ...given, mode: 'CUSTOM', period: 'FIXED' };
      const chart = await api.create({
        _class: `${MODEL}.chart.HistoricChart`,
        parentId: workspaceId,
        name: `Chart ${n}`,
        startRange: new Date(startMs).toISOString(),
        endRange: new Date(endMs).toISOString(),
        links: [{ nodeId: ids[name], chart: { aggregation } }],
      });
      const table = { ...asked(aggregate, percentile), period: 'LAST-5D', interval: '1D' };
      const links = [{ nodeId: ids[name] }];
      const place = { x: 0, y: 2 * n, w: 6, h: 2 };
      tiles.push(
        { ...place, type: 'HISTORIC_TABLE', label: `table ${n}`, links, config: table },
        { ...place, x: 6, type: 'CUSTOM_CHART', label: `chart ${n}`, links: [{ nodeId: chart._id }] },
      );
    }
    const dashboard = { _class: `${MODEL}.Dashboard`, parentId: workspaceId, name: 'Means', isPublic: true, tiles };
    page = `${installation.url}/public/dash/${(await api.create(dashboard)).publicId}`;
  });

  const rows = AGGREGATES.map(([name, aggregate, percentile], n) => ({
    n,
    name,
    aggregate,
    percentile,
    what: what(aggregate, percentile),
  }));
  /** Formats round to nine decimals. */
  const near = (value: number) => expect.closeTo(value, 8);

  test.each(rows)('$what: a read', async ({ name, aggregate, percentile }) => {
    for (const interval of ['1D', '1H']) {
      const { startMs, endMs, results } = numpyResults(name, aggregate, percentile, interval);
      const range = `startTime=${new Date(startMs).toISOString()}&endTime=${new Date(endMs).toISOString()}`;
      const given = new URLSearchParams({ aggregate, interval, baseTime: 'D', percentile: String(percentile ?? 50) });
      const { data } = (await api.get(`/nodes/${ids[name]}/historic?${range}&${given}&${BERLIN}`)).json;
      const shown = data.map(({ ts, f }: { ts: string; f: { 0: { v?: number; q?: number } } }) => [
        Date.parse(ts),
        f[0].v ?? null,
        f[0].q ?? null,
      ]);
      expect(shown).toEqual(
        results.map(({ startMs: ms, value, quality }) => [ms, value === null ? null : near(value), quality]),
      );
    }
  });

  test.each(rows)('$what: a program that waits for whole intervals', async ({ n, name, aggregate, percentile }) => {
    const { results } = numpyResults(name, aggregate, percentile, '1D');
    const computed = await until(
      async () => {
        const { data } = (
          await api.get(`/nodes/${ids[`program ${n}`]}/historic?startTime=2024-01-01&limit=100&renderFormat=`)
        ).json;
        // There is one more before and after the days that numpy has computed.
        return data.length >= results.length + 1 && data;
      },
      { what: 'the program has computed its days' },
    );
    const values = new Map(
      computed.map(({ ts, f }: { ts: string; f: { 0: { v: number } } }) => [Date.parse(ts), f[0].v]),
    );
    for (const { startMs, value } of results)
      expect([startMs, values.get(startMs)]).toEqual([startMs, near(value ?? 0)]);
  });

  /** The drawn line has a vertex at each result with a value, and is broken where there is none. */
  function expectDrawn(svg: string, { startMs, endMs, results }: ReturnType<typeof numpyResults>): void {
    const { plot, y } = scalesOf(svg);
    const [low, high] = y.domain;
    const drawn = results.flatMap(({ startMs: ms, value }, i) =>
      value === null ? [] : [{ ms, value, begins: i === 0 || results[i - 1]?.value === null }],
    );
    expect(drawn.length).toBeLessThan(results.length);
    const vertices = verticesOf(svg, drawn.length);
    for (const [i, { ms, value, begins }] of drawn.entries()) {
      const x = plot.x + ((ms - startMs) / (endMs - startMs)) * plot.width;
      const yOf = plot.y + ((high - value) / (high - low)) * plot.height;
      const vertex = vertices[i] ?? { x: 0, y: 0, command: '' };
      expect([ms, Math.hypot(vertex.x - x, vertex.y - yOf) < 0.1, vertex.command]).toEqual([
        ms,
        true,
        begins ? 'M' : 'L',
      ]);
    }
  }

  test.each(rows)('$what: the picture of a chart', async ({ name, aggregate, percentile }) => {
    const expected = numpyResults(name, aggregate, percentile, '1H');
    const range = `startTime=${new Date(expected.startMs).toISOString()}&endTime=${new Date(expected.endMs).toISOString()}`;
    const given = new URLSearchParams({
      aggregate,
      interval: '1H',
      baseTime: 'D',
      percentile: String(percentile ?? 50),
    });
    const { status, text } = await api.get(`/nodes/${ids[name]}/historic/chart?${range}&${given}&${BERLIN}&format=SVG`);
    expect(status).toBe(200);
    expectDrawn(text, expected);
    expect(text).toContain(`${what(aggregate, percentile)}, 1H`);
  });

  test.each(rows)('$what: tiles of a dashboard, a table and a chart', async ({ n, name, aggregate, percentile }) => {
    const view = (await (await fetch(`${page}/view?${BERLIN}`)).json()) as { tiles: { id: string; label: string }[] };
    const tileOf = (label: string) => view.tiles.find((tile) => tile.label === label)?.id;
    const { results } = numpyResults(name, aggregate, percentile, '1D');
    const table = (await (await fetch(`${page}/tiles/${tileOf(`table ${n}`)}/records?${BERLIN}`)).json()) as {
      rows: { time: string; cells: string[] }[];
    };
    const cells = new Map(table.rows.map(({ time, cells: [cell] }) => [Date.parse(time), Number(cell)]));
    for (const { startMs, value } of results)
      expect([startMs, cells.get(startMs)]).toEqual([startMs, near(value ?? 0)]);
    const image = await fetch(`${page}/tiles/${tileOf(`chart ${n}`)}/image?width=900&height=500&${BERLIN}`);
    expect(image.status).toBe(200);
    expectDrawn(await image.text(), numpyResults(name, aggregate, percentile, '1H'));
  });
});
