import { randomBytes } from 'node:crypto';
import type { ApiCaller } from '@catchment/access';
import {
  type HistoricServiceService as Historic,
  HistoricServiceService,
  type ReadSeriesRequest,
  type SeriesChunk,
} from '@catchment/contracts/historic';
import {
  ChartConfig,
  type NodeConfig,
  type NodesServiceService as Nodes,
  NodesServiceService,
  type StateConfig,
  ValueType,
} from '@catchment/contracts/nodes';
import {
  type OwnersServiceService as Owners,
  OwnersServiceService,
  QualitySettings,
} from '@catchment/contracts/owners';
import { RenderServiceService } from '@catchment/contracts/render';
import { type SecurityServiceService as Security, SecurityServiceService } from '@catchment/contracts/security';
import { DomainError, notFound, notPermitted } from '@catchment/errors';
import {
  CallerSigner,
  CallerVerifier,
  createGrpcClient,
  type GrpcServer,
  GrpcServerBuilder,
  type Handlers,
} from '@catchment/grpc';
import { createLogger } from '@catchment/telemetry';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { chartedNodesClient } from '../src/clients/charted-nodes-client.ts';
import { createDrawPool, type DrawPool } from '../src/clients/drawing/draw-pool.ts';
import { preferencesClient } from '../src/clients/preferences-client.ts';
import { qualitiesClient } from '../src/clients/qualities-client.ts';
import { seriesClient } from '../src/clients/series-client.ts';
import type { ProfileScales, RoseScales } from '../src/domain/chart.ts';
import { renderHandlers } from '../src/transport/render-handlers.ts';
import { drawingMemory } from '../src/usecases/drawing-memory.ts';
import type { RenderDeps } from '../src/usecases/render-chart.ts';
import { noReports } from './builders.ts';
import { outlineOf } from './outline.ts';
import { metadataOf, positionOf, scalesOf, textsOf, verticesOf } from './svg-reading.ts';

const SECRET = randomBytes(32).toString('hex');
const log = createLogger('render-test', { level: 'silent' });
const API_CALLER: ApiCaller = {
  kind: 'api',
  ownerId: 'a'.repeat(24),
  userId: 'b'.repeat(24),
  username: 'u@example.org',
  permission: 'READ_ONLY',
  accessLevel: 'WORKSPACES',
};
const START = Date.parse('2024-03-10T00:00:00Z');
const HOUR = 3_600_000;

const state = (name: string, more: Partial<StateConfig> = {}): StateConfig => ({
  stateId: name,
  name,
  occurrences: 1,
  isAlarm: false,
  notify: 'NEVER',
  categoryId: '',
  messageAway: '',
  messageTowards: '',
  ...more,
});
const node = (
  nodeId: string,
  series: Partial<NonNullable<NodeConfig['series']>> | undefined,
  more: Partial<NodeConfig> = {},
): NodeConfig => ({
  nodeId,
  ownerId: API_CALLER.ownerId,
  workspaceId: 'w',
  parentId: 'p',
  class: 'point.NumberPoint',
  name: 'Stage',
  customId: '',
  sourceId: 's',
  path: 'demo/Maryland/Dead Run/Stage',
  revision: 1,
  isActive: true,
  source: undefined,
  alarms: [],
  sharedCodeDigest: '',
  series: series && {
    valueType: ValueType.VALUE_TYPE_NUMBER,
    rating: undefined,
    program: undefined,
    equation: '',
    isDirection: false,
    multiplier: 1,
    offset: 0,
    units: 'm³/s',
    format: '0.###',
    displayType: 'VALUE',
    statesType: 'RANGE',
    states: [state('NORMAL'), state('FLOOD', { threshold: 12, isAlarm: true })],
    hysteresis: 0,
    seriesKey: '',
    chart: undefined,
    writable: true,
    ...series,
  },
  ...more,
});

const NODES: Record<string, NodeConfig> = {
  stage: node('stage', {}),
  weather: node(
    'weather',
    {
      valueType: ValueType.VALUE_TYPE_TEXT,
      statesType: 'DISCRETE',
      states: [state('WET', { textThreshold: 'rain' })],
      units: '',
    },
    { class: 'point.TextPoint', name: 'Weather' },
  ),
  bars: node('bars', { chart: ChartConfig.fromPartial({ type: 'ColumnChart' }) }),
  marked: node('marked', { chart: ChartConfig.fromPartial({ qualityStyle: 'MARKER' }) }),
  patient: node('patient', { chart: ChartConfig.fromPartial({ lineWidth: 2, expectedIntervalSeconds: 60_000 }) }),
  described: node('described', {
    chart: ChartConfig.fromPartial({ stateThresholds: 'USER_NOTIFICATION' }),
    states: [
      state('NORMAL'),
      state('WATCH', { threshold: 10, categoryId: 'operations' }),
      state('FLOOD', { threshold: 12, categoryId: 'critical', notify: 'ALWAYS' }),
    ],
  }),
  clock: node('clock', { valueType: ValueType.VALUE_TYPE_TIME }, { class: 'point.TimePoint' }),
  place: node('place', { valueType: ValueType.VALUE_TYPE_COORDINATES }, { class: 'location.Location' }),
  folder: node('folder', undefined, { class: 'Group' }),
  speed: node('speed', { units: 'm/s', states: [] }, { name: 'Wind speed' }),
  direction: node('direction', { units: '°', states: [] }, { name: 'Wind direction' }),
  overview: node('overview', undefined, { class: 'chart.HistoricChart', path: 'demo/Maryland/Overview' }),
  rose: node('rose', undefined, { class: 'chart.WindRoseChart', path: 'demo/Maryland/Rose' }),
  slope: node('slope', undefined, { class: 'chart.DisplacementChart', path: 'demo/Maryland/Slope' }),
};

/** Attributes of chart nodes, as GET shows them. */
const ATTRIBUTES: Record<string, Record<string, unknown>> = {
  overview: {
    description: 'Both of them',
    startRange: 'NOW-1D',
    endRange: 'NOW',
    yAxes: [{ name: '' }, { name: '', position: 'RIGHT' }],
    links: [
      { nodeId: 'stage', name: 'Stage', yAxisIndex: 0 },
      { nodeId: 'marked', name: 'Marked', yAxisIndex: 1, chart: { qualityStyle: 'NONE', primaryColor: '#00ff00' } },
      { nodeId: 'gone', name: 'Water temperature', yAxisIndex: 0 },
    ],
  },
  rose: { speedNodeId: 'speed', directionNodeId: 'direction', speedRanges: [5] },
  slope: {
    startRange: 'NONE',
    endRange: 'NOW',
    maxSeries: 2,
    seriesTimeFormat: 'HH:mm',
    measurementLinks: [
      { nodeId: 'speed', name: 'Top' },
      { nodeId: 'direction', name: 'Bottom' },
    ],
  },
};

const packed = (column: Float64Array | Int32Array): Buffer =>
  Buffer.from(column.buffer, column.byteOffset, column.byteLength);
const chunk = (times: number[], more: Partial<SeriesChunk>): SeriesChunk => ({
  node: undefined,
  valueType: ValueType.VALUE_TYPE_UNSPECIFIED,
  timestamps: packed(Float64Array.from(times)),
  numbers: Buffer.alloc(0),
  texts: [],
  qualities: Buffer.alloc(0),
  ...more,
});

/** Answers of the fake historic service; what was asked and on whose behalf is kept. */
let answer: (request: ReadSeriesRequest) => AsyncIterable<SeriesChunk>;
const asked: { request: ReadSeriesRequest; ownerId: string; deadlineMs: number }[] = [];
/**
 * Returns the reads of a range; the last records before its end are read as well, where the shown records are too few
 * to know how often they come.
 */
const ofRanges = () => asked.filter(({ request }) => request.startMs !== undefined);
const opened: { close(): unknown }[] = [];
let pool: DrawPool;
let historicAddress: string;
let nodesAddress: string;
let ownersAddress: string;
let securityAddress: string;
/** The caller gets notifications of these. */
let enabled: string[] = [];
/** Workspaces whose preferences were asked for. */
const preferencesOf: string[] = [];
/** Accounts whose settings were read. */
const settingsOf: string[] = [];
let token: string;

async function serve<
  D extends
    | typeof NodesServiceService
    | typeof HistoricServiceService
    | typeof OwnersServiceService
    | typeof SecurityServiceService,
>(definition: D, handlers: Partial<Handlers<D>>): Promise<string> {
  const server = await new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log })
    .add(definition, handlers as unknown as Handlers<D>)
    .listen({ host: '127.0.0.1', port: 0 });
  opened.push(server);
  return `127.0.0.1:${server.port}`;
}

beforeAll(async () => {
  token = await new CallerSigner(SECRET).sign(API_CALLER);
  pool = await createDrawPool({ threads: 1, heapMegabytes: 512 });
  nodesAddress = await serve(NodesServiceService, {
    async resolveNodes({ nodeRefs, skipsMissing }) {
      if (nodeRefs.includes('elsewhere')) throw notPermitted();
      const found = nodeRefs.flatMap((ref) => NODES[ref.replace('@', '')] ?? []);
      if (found.length < nodeRefs.length && !skipsMissing) throw notFound();
      return { nodes: found };
    },
    async getNode({ nodeRef }) {
      return { json: Buffer.from(JSON.stringify(ATTRIBUTES[nodeRef])) };
    },
  } satisfies Partial<Handlers<Nodes>>);
  ownersAddress = await serve(OwnersServiceService, {
    async getQualitySettings(_request, { caller }) {
      settingsOf.push(caller.kind === 'api' ? caller.ownerId : '');
      return QualitySettings.fromPartial({ codes: [{ code: 7, color: '#123456' }] });
    },
  } satisfies Partial<Handlers<Owners>>);
  securityAddress = await serve(SecurityServiceService, {
    async listEnabledCategories({ workspaceId }) {
      preferencesOf.push(workspaceId);
      return { categoryIds: enabled };
    },
  } satisfies Partial<Handlers<Security>>);
  historicAddress = await serve(HistoricServiceService, {
    async *readSeries(request, { caller, deadlineMs }) {
      asked.push({ request, ownerId: caller.kind === 'api' ? caller.ownerId : '', deadlineMs });
      yield* answer(request);
    },
  } satisfies Partial<Handlers<Historic>>);
});
afterAll(async () => {
  for (const resource of opened.reverse()) await resource.close();
  await pool.close();
});

async function renderServer(
  limits: Partial<Pick<RenderDeps, 'maxRecords' | 'maxBytes'>> & {
    maxMs?: number;
    memoryMib?: number;
    waiting?: number;
  } = {},
) {
  const nodes = createGrpcClient(NodesServiceService, nodesAddress);
  const historic = createGrpcClient(HistoricServiceService, historicAddress);
  const owners = createGrpcClient(OwnersServiceService, ownersAddress);
  const security = createGrpcClient(SecurityServiceService, securityAddress);
  const deps = {
    nodes: chartedNodesClient(nodes),
    records: seriesClient(historic),
    qualities: qualitiesClient(owners),
    preferences: preferencesClient(security),
    drawing: pool,
    files: { read: async () => new Uint8Array(0) },
    previewing: pool,
    maxRecords: limits.maxRecords ?? 1_000,
    maxBytes: limits.maxBytes ?? 1e8,
  };
  const options = {
    maxMs: limits.maxMs ?? 30_000,
    memory: drawingMemory({ mib: limits.memoryMib ?? 1_000, waiting: limits.waiting ?? 10 }),
    now: Date.now,
  };
  const server: GrpcServer = await new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log })
    .add(RenderServiceService, renderHandlers({ ...deps, ...options }, noReports))
    .listen({ host: '127.0.0.1', port: 0 });
  const client = createGrpcClient(RenderServiceService, `127.0.0.1:${server.port}`);
  opened.push(nodes, historic, owners, security, server, client);
  return async (nodeRef: string, args: Record<string, string> = {}) => {
    const isChart = nodeRef === '' || NODES[nodeRef]?.class.startsWith('chart.');
    const range = isChart ? {} : { startTime: '2024-03-10T00:00:00Z', endTime: '2024-03-11T00:00:00Z' };
    const chunks: Buffer[] = [];
    const types: string[] = [];
    const call = client.renderChart(
      { nodeRef, arguments: { ...range, ...args }, arrivalMs: isChart ? START + 24 * HOUR : START },
      { token, timeoutMs: HANGS_AFTER_MS },
    );
    for await (const { data, contentType } of call) {
      chunks.push(data);
      types.push(contentType);
    }
    return { bytes: Buffer.concat(chunks), contentType: types[0], laterTypes: types.slice(1), chunks };
  };
}

const stage = Array.from({ length: 24 }, (_, i) => 10 + 5 * Math.sin(i));
beforeEach(() => {
  asked.length = 0;
  answer = async function* () {
    const times = stage.map((_, i) => START + i * HOUR);
    yield chunk(times.slice(0, 10), { numbers: packed(Float64Array.from(stage.slice(0, 10))) });
    yield chunk(times.slice(10), {
      numbers: packed(Float64Array.from(stage.slice(10))),
      qualities: packed(new Int32Array(14).fill(149)),
    });
  };
});

test('the SVG of a parameter has a vertex per record, its states and its name with units', async () => {
  const render = await renderServer();
  const { bytes, contentType } = await render('stage', { format: 'SVG' });
  const svg = bytes.toString();
  expect(contentType).toBe('image/svg+xml');
  const vertices = verticesOf(svg, 'series-0');
  expect(vertices).toHaveLength(24);
  const expected = positionOf(scalesOf(svg), START + 10 * HOUR, stage[10] as number);
  expect(Math.abs((vertices[10]?.y ?? 0) - expected.y)).toBeLessThan(1);
  expect(textsOf(svg).map(({ text }) => text)).toEqual(expect.arrayContaining(['Stage [m³/s]', 'FLOOD', 'Etc/UTC']));
  expect(scalesOf(svg).series[0]).toMatchObject({ path: 'demo/Maryland/Dead Run/Stage', records: 24 });
});

test('historic is asked once, transformed and bounded, for the caller and within the time left', async () => {
  const render = await renderServer({ maxRecords: 500, maxMs: 5_000 });
  await render('stage', { format: 'SVG' });
  expect(ofRanges()).toHaveLength(1);
  expect(asked).toHaveLength(2);
  expect(asked[1]?.request).toMatchObject({ nodeRef: 'stage', endMs: START + 24 * HOUR, limit: 101 });
  expect(asked[0]?.request).toMatchObject({
    nodeRef: 'stage',
    startMs: START,
    endMs: START + 24 * HOUR,
    limit: 0,
    wholeUpTo: 500,
    bounding: true,
    transformed: true,
  });
  expect(asked[0]?.ownerId).toBe(API_CALLER.ownerId);
  expect(asked[0]?.deadlineMs).toBeLessThanOrEqual(Date.now() + 5_000);
});

test.each([
  ['learnt from the records before the end', 'stage', 2],
  ['as the parameter says', 'patient', 1],
])('a line breaks at an outage: how often records come is %s', async (_what, nodeRef, stretches) => {
  const hours = [...Array.from({ length: 12 }, (_, n) => n), ...Array.from({ length: 6 }, (_, n) => 18 + n)];
  answer = async function* ({ startMs }) {
    const times = startMs === undefined ? hours : [-5_000, ...hours, 900];
    yield chunk(
      times.map((hour) => START + hour * HOUR),
      { numbers: packed(Float64Array.from(times, (hour) => hour)) },
    );
  };
  const render = await renderServer();
  const svg = (await render(nodeRef, { format: 'SVG' })).bytes.toString();
  const commands = verticesOf(svg, 'series-0').map(({ command }) => command);
  expect(commands.filter((command) => command === 'M')).toHaveLength(stretches);
  expect(commands).toHaveLength(18);
  expect(scalesOf(svg).y.domain[1]).toBeLessThan(30);
});

test.each([
  ['PNG', 'image/png', '89504e47'],
  ['JPG', 'image/jpeg', 'ffd8ff'],
  ['PDF', 'application/pdf', '255044462d312e'],
])('%s comes in chunks, the first with its content type', async (format, type, magic) => {
  const render = await renderServer();
  const { bytes, contentType, laterTypes } = await render('stage', { format, scale: '2' });
  expect(contentType).toBe(type);
  expect(laterTypes.every((later) => later === '')).toBe(true);
  expect(bytes.toString('hex')).toMatch(new RegExp(`^${magic}`));
});

test('the time axis follows zone and DST', async () => {
  const render = await renderServer();
  const hours = {
    startTime: '2024-03-10T00:00',
    endTime: '2024-03-10T05:00',
    format: 'SVG',
    timezone: 'America/New_York',
    width: '800',
  };
  const summer = textsOf((await render('stage', { ...hours, timezoneAdjustForDst: 'TRUE' })).bytes.toString()).map(
    ({ text }) => text,
  );
  const fixed = textsOf((await render('stage', hours)).bytes.toString()).map(({ text }) => text);
  expect(summer).toEqual(expect.arrayContaining(['01:00', '03:00', 'America/New_York']));
  expect(summer).not.toContain('02:00');
  expect(fixed).toEqual(expect.arrayContaining(['01:00', '02:00', '03:00', 'UTC-05:00']));
});

test('a text parameter is drawn as flags of its states', async () => {
  answer = async function* () {
    yield chunk([START, START + HOUR, START + 2 * HOUR], { texts: ['heavy rain', 'dry', ''] });
  };
  const render = await renderServer();
  const svg = (await render('weather', { format: 'SVG' })).bytes.toString();
  expect(textsOf(svg).filter(({ text }) => text === 'WET')).toHaveLength(1);
});

test('columns of more than 1200 records are asked for as intervals, in the zone of the request', async () => {
  const many = Float64Array.from({ length: 1_201 }, (_, n) => START + n * 1_000);
  answer = async function* ({ arguments: given }) {
    if (given.aggregate === undefined) yield chunk([...many], { numbers: packed(Float64Array.from(many, () => 5)) });
    else
      yield chunk([START, START + 2 * HOUR, START + 4 * HOUR], {
        valueType: ValueType.VALUE_TYPE_NUMBER,
        numbers: packed(Float64Array.of(1, Number.NaN, 3)),
        qualities: packed(Int32Array.of(-1, 165, -1)),
      });
  };
  const render = await renderServer({ maxRecords: 1_000_000 });
  const zone = { timezone: 'America/New_York', timezoneAdjustForDst: 'TRUE' };
  const range = { startTime: '2024-03-10T00:00:00Z', endTime: '2024-06-10T00:00:00Z' };
  const svg = (await render('bars', { format: 'SVG', ...range, ...zone })).bytes.toString();
  expect(asked.map(({ request }) => [request.limit, request.bounding])).toEqual([
    [1_201, true],
    [0, false],
  ]);
  expect(asked[1]?.request).toMatchObject({
    startMs: START,
    endMs: START + 92 * 24 * HOUR,
    arrivalMs: START,
    transformed: true,
    arguments: {
      ...zone,
      aggregate: 'INTERPOLATED',
      interval: '2H',
      baseTime: 'D',
      intervalInclude: 'PARTIAL',
      renderType: 'VALUE',
    },
  });
  expect(scalesOf(svg).series[0]?.records).toBe(3);
  // The picture says that these are no records.
  expect(textsOf(svg).map(({ text }) => text)).toContain('America/New_York · INTERPOLATED, 2H');
});

const MINUTE = 60_000;

/** Historic has these records, one a minute: in full, or those that stand out; NaN is a record without a value. */
function holding(values: Float64Array): void {
  const times = Float64Array.from(values, (_, n) => START + n * MINUTE);
  answer = async function* ({ arguments: given, limit, endMs = 0, wholeUpTo = 0 }) {
    const isWhole = given.reduce !== undefined && values.length <= wholeUpTo;
    const length = isWhole ? values.length : limit;
    const outline =
      given.reduce && !isWhole
        ? outlineOf(times, values, { startMs: START, endMs, columns: Number(given.width) })
        : Int32Array.from({ length }, (_, n) => n);
    yield chunk(
      [...outline].map((n) => times[n] ?? 0),
      {
        numbers: packed(Float64Array.from(outline, (n) => values[n] ?? 0)),
        ...(isWhole && { isWhole }),
      },
    );
  };
}

test('a year of minutes with spikes of one sample shows every spike, and the extremes of each pixel column', async () => {
  const isSpike = (n: number) => n % 4_793 === 2_000;
  const values = Float64Array.from({ length: 525_600 }, (_, n) =>
    isSpike(n) ? (n % 2 === 0 ? 90 : -70) : 20 + 5 * Math.sin(n / 700),
  );
  holding(values);
  const render = await renderServer({ maxRecords: 1_000_000 });
  const endMs = START + (values.length - 1) * MINUTE;
  const range = { startTime: new Date(START).toISOString(), endTime: new Date(endMs).toISOString() };
  const svg = (await render('stage', { format: 'SVG', ...range })).bytes.toString();
  const scales = scalesOf(svg);
  const columns = scales.plot.width;
  expect(ofRanges().at(-1)?.request).toMatchObject({
    startMs: START,
    endMs,
    limit: 0,
    bounding: true,
    transformed: true,
    arguments: { reduce: 'M4', width: String(columns) },
  });
  expect(ofRanges()).toHaveLength(1);
  expect(textsOf(svg).map(({ text }) => text)).toContain('Etc/UTC');
  const kept = outlineOf(
    Float64Array.from(values, (_, n) => START + n * MINUTE),
    values,
    { startMs: START, endMs, columns },
  );
  const vertices = verticesOf(svg, 'series-0');
  expect(vertices).toHaveLength(kept.length);
  const heights = new Map<number, { y: number; column: number }>();
  for (const [at, n] of kept.entries()) {
    const expected = positionOf(scales, START + n * MINUTE, values[n] ?? 0);
    const { x = 0, y = 0 } = vertices[at] ?? {};
    expect(Math.hypot(x - expected.x, y - expected.y)).toBeLessThan(0.01);
    heights.set(n, { y, column: Math.min(Math.floor((n * columns) / (values.length - 1)), columns - 1) });
  }
  const drawn = Map.groupBy(heights.values(), ({ column }) => column);
  const raw = new Map<number, { low: number; high: number }>();
  for (const [n, value] of values.entries()) {
    const column = Math.min(Math.floor((n * columns) / (values.length - 1)), columns - 1);
    const { low, high } = raw.get(column) ?? { low: value, high: value };
    raw.set(column, { low: Math.min(low, value), high: Math.max(high, value) });
    if (isSpike(n)) expect([n, heights.has(n)]).toEqual([n, true]);
  }
  expect(drawn.size).toBe(columns);
  for (const [column, { low, high }] of raw) {
    const own = (drawn.get(column) ?? []).map(({ y }) => y);
    expect(Math.abs(Math.max(...own) - positionOf(scales, START, low).y)).toBeLessThan(0.01);
    expect(Math.abs(Math.min(...own) - positionOf(scales, START, high).y)).toBeLessThan(0.01);
    expect(own.length).toBeLessThanOrEqual(4);
  }
});

test('labels that only the extremes ask for make the records be read once more, for the plot that is drawn', async () => {
  const values = Float64Array.from({ length: 20_000 }, (_, n) => (n === 15_000 ? 123_456 : n % 7));
  holding(values);
  const render = await renderServer({ maxRecords: 1_000_000 });
  const endTime = new Date(START + 19_999 * MINUTE).toISOString();
  const svg = (
    await render('stage', { format: 'SVG', startTime: new Date(START).toISOString(), endTime })
  ).bytes.toString();
  const widths = ofRanges().map(({ request }) => request.arguments.width);
  expect(widths).toEqual([expect.any(String), String(scalesOf(svg).plot.width)]);
  expect(Number(widths[0])).toBeGreaterThan(Number(widths[1]));
});

test.each([
  ['PNG', '2', 2],
  ['JPG', '1.5', 1.5],
  ['SVG', '2', 1],
])('a pixel column of %s at scale %s is one of its output pixels', async (format, scale, factor) => {
  holding(Float64Array.from({ length: 2_000 }, (_, n) => n % 7));
  const render = await renderServer({ maxRecords: 1_000_000 });
  const range = { startTime: new Date(START).toISOString(), endTime: new Date(START + 1_999 * MINUTE).toISOString() };
  const width = Number(scalesOf((await render('stage', { ...range, format: 'SVG' })).bytes.toString()).plot.width);
  await render('stage', { ...range, format, scale });
  expect(ofRanges().at(-1)?.request.arguments.width).toBe(String(Math.round(width * factor)));
});

test('a gap breaks the line of the records that stand out as it breaks that of all', async () => {
  const values = Float64Array.from({ length: 40_000 }, (_, n) => (n === 20_000 ? Number.NaN : n % 7));
  holding(values);
  const render = await renderServer({ maxRecords: 1_000_000 });
  const range = { startTime: new Date(START).toISOString(), endTime: new Date(START + 39_999 * MINUTE).toISOString() };
  const svg = (await render('stage', { ...range, format: 'SVG' })).bytes.toString();
  const starts = verticesOf(svg, 'series-0').filter(({ command }) => command === 'M');
  const scales = scalesOf(svg);
  expect(starts).toHaveLength(2);
  expect(Math.abs((starts[1]?.x ?? 0) - positionOf(scales, START + 20_001 * MINUTE, 0).x)).toBeLessThan(1);
});

test('what stands out beyond the limit of records is too large', async () => {
  holding(Float64Array.from({ length: 20_000 }, (_, n) => n % 7));
  const render = await renderServer({ maxRecords: 1_500 });
  const range = { startTime: new Date(START).toISOString(), endTime: new Date(START + 19_999 * MINUTE).toISOString() };
  await expect(render('stage', range)).rejects.toMatchObject({ kind: 'too_large' });
});

test('qualities have the colours of the account’s settings, which are asked for only where they show', async () => {
  answer = async function* () {
    yield chunk([START, START + HOUR, START + 2 * HOUR], {
      valueType: ValueType.VALUE_TYPE_NUMBER,
      numbers: packed(Float64Array.of(1, 2, 3)),
      qualities: packed(Int32Array.of(7, 155, -1)),
    });
  };
  const render = await renderServer();
  await render('stage', { format: 'SVG' });
  expect(settingsOf).toEqual([]);
  const svg = (await render('marked', { format: 'SVG' })).bytes.toString();
  expect(settingsOf).toEqual([API_CALLER.ownerId]);
  expect(svg.match(/#123456/g)).toHaveLength(1);
  expect(svg).not.toContain('#c43f42');
});

test.each([
  ['the caller’s own categories', ['operations'], ['WATCH']],
  ['no category', [], []],
])('USER_NOTIFICATION shows the thresholds of %s', async (_what, categories, expected) => {
  enabled = categories;
  preferencesOf.length = 0;
  const render = await renderServer();
  const svg = (await render('described', { format: 'SVG' })).bytes.toString();
  expect(textsOf(svg).flatMap(({ text }) => (['WATCH', 'FLOOD'].includes(text) ? text : []))).toEqual(expected);
  expect(preferencesOf).toEqual(['w']);
  await render('stage', { format: 'SVG' });
  expect(preferencesOf).toEqual(['w']);
});

test('states of intervals come by their names', async () => {
  answer = async function* ({ arguments: given }) {
    expect(given).toMatchObject({ aggregate: 'START', renderType: 'STATE' });
    yield chunk([START, START + HOUR, START + 2 * HOUR], {
      valueType: ValueType.VALUE_TYPE_TEXT,
      texts: ['FLOOD', 'NORMAL', ''],
    });
  };
  const render = await renderServer();
  const start = { aggregate: 'START', baseTime: 'D', interval: '1H', renderType: 'STATE', format: 'SVG' };
  const svg = (await render('stage', start)).bytes.toString();
  expect(asked).toHaveLength(1);
  expect(scalesOf(svg).y.states).toEqual(['NORMAL', 'FLOOD']);
  expect(scalesOf(svg).series[0]?.records).toBe(3);
});

test('counts of texts are a line of numbers without units; none is a gap', async () => {
  answer = async function* () {
    yield chunk([START, START + HOUR, START + 2 * HOUR, START + 3 * HOUR], {
      valueType: ValueType.VALUE_TYPE_NUMBER,
      numbers: packed(Float64Array.of(4, 5, 0, 2)),
      qualities: packed(Int32Array.of(-1, -1, 165, -1)),
    });
  };
  const render = await renderServer();
  const count = { aggregate: 'COUNT', baseTime: 'D', interval: '1H', format: 'SVG' };
  const scales = scalesOf((await render('weather', count)).bytes.toString());
  expect(scales.y.states).toBeUndefined();
  expect(scales.y.domain[1]).toBeGreaterThanOrEqual(5);
  expect(scales.series[0]).toMatchObject({ units: '' });
});

test('a historic chart reads each series once over its own range, and reports a link whose parameter is gone', async () => {
  const render = await renderServer();
  const svg = (await render('overview', { format: 'SVG' })).bytes.toString();
  expect(
    ofRanges()
      .map(({ request }) => [request.nodeRef, request.startMs, request.endMs])
      .sort(),
  ).toEqual([
    ['marked', START, START + 24 * HOUR],
    ['stage', START, START + 24 * HOUR],
  ]);
  const { series, axes } = scalesOf(svg);
  expect(series.map(({ name, color, axis, records }) => [name, color, axis, records])).toEqual([
    ['Stage', '#2f7ed8', 0, 24],
    ['Marked', '#00ff00', 1, 24],
    ['Water temperature', '#8bbc21', 0, 0],
  ]);
  expect(axes).toHaveLength(2);
  const texts = textsOf(svg).map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['demo/Maryland/Overview', 'Both of them', 'Water temperature', '!']));
});

test('startTime, endTime, title and subtitle take the place of the node’s own', async () => {
  const render = await renderServer();
  const own = { startTime: '2024-03-10T06:00:00Z', endTime: 'NOW-6H', title: 'Mine', subtitle: '', format: 'SVG' };
  const svg = (await render('overview', own)).bytes.toString();
  expect(scalesOf(svg).x.domain).toEqual([START + 6 * HOUR, START + 18 * HOUR]);
  const texts = textsOf(svg).map(({ text }) => text);
  expect(texts).toContain('Mine');
  expect(texts).not.toContain('Both of them');
});

test('all series of a chart together are bounded', async () => {
  await expect((await renderServer({ maxRecords: 48 }))('overview')).resolves.toBeDefined();
  await expect((await renderServer({ maxRecords: 47 }))('overview')).rejects.toMatchObject({ kind: 'too_large' });
});

const several = { startTime: '2024-03-10T00:00:00Z', endTime: '2024-03-11T00:00:00Z', format: 'SVG' };

test('several parameters are drawn over one time, with an axis for each of their units and arguments of their own', async () => {
  const render = await renderServer();
  const params = '@stage,@speed(aggregate:MAX;baseTime:D;interval:1D),@speed(aggregate:MIN;baseTime:D;interval:1D)';
  const { series, axes } = scalesOf((await render('', { ...several, params })).bytes.toString());
  expect(series.map(({ name, axis }) => [name, axis])).toEqual([
    ['Stage', 0],
    ['Wind speed (MAX, 1D)', 1],
    ['Wind speed (MIN, 1D)', 1],
  ]);
  expect(axes).toHaveLength(2);
  expect(
    ofRanges()
      .map(({ request }) => request.arguments.aggregate ?? '')
      .sort(),
  ).toEqual(['', 'MAX', 'MIN']);
});

test('without a range several parameters show the seven days before their newest record', async () => {
  answer = async function* ({ nodeRef }) {
    yield chunk([START + (nodeRef === 'stage' ? 5 : 3) * HOUR], { numbers: packed(Float64Array.of(1)) });
  };
  const render = await renderServer();
  const svg = (await render('', { format: 'SVG', params: '@stage,@speed' })).bytes.toString();
  expect(scalesOf(svg).x.domain).toEqual([START + 5 * HOUR - 7 * 24 * HOUR, START + 5 * HOUR]);
});

test.each([
  ['no params', {}, 'invalid_argument', /^params must be given/],
  ['more than 100', { params: '@stage,'.repeat(101) }, 'invalid_argument', /^params must have at most 100 entries/],
  ['a bad argument of an entry', { params: '@stage(interval:0H)' }, 'invalid_argument', /^interval must be/],
  ['an unknown node', { params: '@stage,@nothing' }, 'not_found', /not found/],
  ['a chart node', { params: '@rose' }, 'failed_precondition', /^chart.WindRoseChart: charts are drawn of/],
  ['a Time parameter', { params: '@stage,@clock' }, 'failed_precondition', /^point.TimePoint: charts are drawn of/],
] as const)('a chart of several refuses %s, without reading records', async (_what, args, kind, message) => {
  const render = await renderServer();
  await expect(render('', { ...several, ...args })).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
  });
  expect(asked).toHaveLength(0);
});

test('a wind rose reads the good records of both parameters, and counts those of the same times', async () => {
  answer = async function* ({ nodeRef }) {
    const isSpeed = nodeRef === 'speed';
    const times = [0, 1, 2, isSpeed ? 3 : 4].map((hour) => START + hour * HOUR);
    yield chunk(times, { numbers: packed(isSpeed ? Float64Array.of(1, 5, 9, 9) : Float64Array.of(0, 90, 90, 90)) });
  };
  const render = await renderServer();
  const svg = (await render('rose', { format: 'SVG' })).bytes.toString();
  expect(asked.map(({ request }) => request.arguments)).toEqual([
    { qualityExcluded: 'BAD,UNCERTAIN' },
    { qualityExcluded: 'BAD,UNCERTAIN' },
  ]);
  const { rows, sectors } = metadataOf(svg) as RoseScales;
  expect(rows).toBe(3);
  expect(sectors[0]).toEqual([100 / 3, 0]);
  expect(sectors[4]).toEqual([0, 200 / 3]);
});

test('profiles without a start are the last ones before the end, looked for in growing reads', async () => {
  const rows = Array.from({ length: 1_000 }, (_, n) => n);
  answer = async function* ({ nodeRef, limit, endMs = 0 }) {
    // The second parameter has every hundredth record of the first.
    const own = rows.filter((n) => nodeRef === 'speed' || n % 100 === 0).map((n) => endMs - (1_000 - n) * 1_000);
    const last = own.slice(-limit);
    yield chunk(last, { numbers: packed(Float64Array.from(last, (t) => t - START)) });
  };
  const render = await renderServer({ maxRecords: 10_000 });
  const svg = (await render('slope', { format: 'SVG' })).bytes.toString();
  expect([...new Set(asked.map(({ request }) => request.limit))]).toEqual([100, 800]);
  expect(asked.every(({ request }) => request.startMs === undefined && request.endMs === START + 24 * HOUR)).toBe(true);
  expect((metadataOf(svg) as ProfileScales).series.map(({ name }) => name)).toEqual(['23:56', '23:58']);
});

test('an end that is the last record is looked for before the profiles are', async () => {
  answer = async function* ({ limit, startMs, endMs = START + 9 * HOUR }) {
    const rows = [1, 2, 3].map((hour) => START + hour * HOUR).filter((t) => t <= endMs);
    const asked = startMs === undefined ? rows.slice(-limit) : rows.slice(0, limit);
    yield chunk(asked, { numbers: packed(Float64Array.from(asked, () => 1)) });
  };
  const render = await renderServer();
  const svg = (await render('slope', { format: 'SVG', endTime: 'LAST-30M' })).bytes.toString();
  expect((metadataOf(svg) as ProfileScales).series.map(({ name }) => name)).toEqual(['01:00', '02:00']);
});

test.each([
  ['renderType', { renderType: 'STATE' }],
  ['aggregate', { aggregate: 'NONE' }],
  ['baselineType', { baselineType: 'RELATIVE' }],
])('a chart node refuses %s, without reading records', async (name, args) => {
  const render = await renderServer();
  await expect(render('rose', args)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: `${name} must not be given for a chart node`,
  });
  expect(asked).toHaveLength(0);
});

test('without records the chart is empty', async () => {
  answer = async function* () {};
  const render = await renderServer();
  expect((await render('stage', { format: 'SVG' })).bytes.toString()).toContain('No data');
});

test('FIRST and LAST are times of the series’ records', async () => {
  answer = async function* (request) {
    const t = request.startMs === undefined ? START + 9 * HOUR : request.endMs === undefined ? START : START + HOUR;
    yield chunk([t], { numbers: packed(Float64Array.of(1)) });
  };
  const render = await renderServer();
  const svg = (await render('stage', { format: 'SVG', startTime: 'FIRST', endTime: 'LAST+1H' })).bytes.toString();
  expect(scalesOf(svg).x.domain).toEqual([START, START + 10 * HOUR]);
});

test.each([
  ['a bad argument before the node is looked for', 'unknown', { width: '99' }, 'invalid_argument', /^width\b/],
  ['an unknown node', 'unknown', {}, 'not_found', /not found/],
  ['a node outside the caller’s workspaces', 'elsewhere', {}, 'permission_denied', /Not permitted/],
  ['a Time parameter', 'clock', {}, 'failed_precondition', /^point.TimePoint: charts/],
  ['a Location', 'place', {}, 'failed_precondition', /^location.Location: charts/],
  ['a node that is no parameter', 'folder', {}, 'failed_precondition', /^Group: charts/],
  ['an aggregate without interval', 'stage', { aggregate: 'AVERAGE', baseTime: 'D' }, 'invalid_argument', /^interval /],
  [
    'an aggregate of numbers of a text',
    'weather',
    { aggregate: 'AVERAGE', baseTime: 'D', interval: '1H' },
    'invalid_argument',
    /^aggregate /,
  ],
  [
    'a format that no picture has',
    'stage',
    { format: 'GIF' },
    'invalid_argument',
    /^format: must be one of PNG, JPG, SVG, PDF/,
  ],
  ['a relative baseline of texts', 'weather', { baselineType: 'RELATIVE' }, 'invalid_argument', /^baselineType /],
])('refuses %s, without reading records', async (_what, nodeRef, args, kind, message) => {
  const render = await renderServer();
  await expect(render(nodeRef, args)).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
  expect(asked).toHaveLength(0);
});

test.each([
  ['24 records where 24 are allowed', { maxRecords: 24 }, undefined],
  ['24 records where 23 are allowed', { maxRecords: 23 }, 'too_large'],
  ['an image over the byte limit', { maxBytes: 1_000 }, 'too_large'],
])('%s', async (_what, limits, kind) => {
  const render = await renderServer(limits);
  const raw = { format: 'SVG', aggregate: 'NONE' };
  if (kind === undefined) await expect(render('stage', raw)).resolves.toBeDefined();
  else await expect(render('stage', raw)).rejects.toMatchObject({ kind });
});

test('bounding records do not count against the limit', async () => {
  answer = async function* () {
    yield chunk([START - HOUR, START, START + 25 * HOUR], { numbers: packed(Float64Array.of(1, 2, 3)) });
  };
  const render = await renderServer({ maxRecords: 1 });
  expect(scalesOf((await render('stage', { format: 'SVG' })).bytes.toString()).series[0]?.records).toBe(1);
});

const hanging = () => {
  const reading = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  answer = async function* () {
    reading.resolve();
    await release.promise;
    yield chunk([START], { numbers: packed(Float64Array.of(1)) });
  };
  return { reading: reading.promise, release: release.resolve };
};

test('a chart over its time is too large, not an error of the server', async () => {
  const { release } = hanging();
  const render = await renderServer({ maxMs: 150 });
  await expect(render('stage')).rejects.toMatchObject({
    kind: 'too_large',
    message: expect.stringContaining('too long'),
  });
  release();
});

test('more charts at once than there is memory for are unavailable; afterwards there is room again', async () => {
  const { reading, release } = hanging();
  const render = await renderServer({ memoryMib: 32, waiting: 0 });
  const first = render('stage', { format: 'SVG' });
  await reading;
  await expect(render('stage')).rejects.toMatchObject({ kind: 'unavailable', reason: 'TOO_MANY_CHARTS' });
  release();
  await first;
  await expect(render('stage', { format: 'SVG' })).resolves.toBeDefined();
});

test('a failure of historic arrives as it is, also after the first records', async () => {
  answer = async function* () {
    yield chunk([START], { numbers: packed(Float64Array.of(1)) });
    throw new DomainError('unavailable', 'PEER_UNAVAILABLE', 'Service temporarily unavailable');
  };
  const render = await renderServer();
  await expect(render('stage')).rejects.toMatchObject({ kind: 'unavailable', reason: 'PEER_UNAVAILABLE' });
});
