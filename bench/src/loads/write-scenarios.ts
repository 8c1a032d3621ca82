import { FIRST_MS, STEP_MS, value } from '../floors/influx-floor.ts';
import type { LoadRequest } from './load.ts';

const DURABILITIES = ['accepted', 'durable'] as const;
export type Durability = (typeof DURABILITIES)[number];

/** A way of writing is to reach these. */
type Bars = {
  /** Share of the floor. */
  readonly leastRatio?: number;
  readonly leastPerSecond?: number;
  readonly mostP99Ms?: number;
};

/** A way of writing is measured until the last record is readable. */
export type Scenario = {
  readonly name: string;
  readonly requests: number;
  readonly pointsPerRequest: number;
  /** The floor is InfluxDB's own rate of points, or the rate of requests of a server that only appends (append-server.ts). */
  readonly floor: 'points' | 'appends';
  readonly bars: Readonly<Record<Durability, Bars>>;
  /** The requests go to this many data sources (or parameters), each by a connection of its own. */
  readonly targets: number;
  readonly target: 'source' | 'parameter';
  /** Status of the answers. */
  readonly status?: number;
  /** @param nth how many requests this target has had */
  readonly request: (targetId: string, nth: number) => LoadRequest;
  /** Returns the time of a target's last record in Unix ms. */
  readonly lastRecordMs: (requestsToTarget: number) => number;
};

const ROWS = 1_000;

export function writeScenarios(scale: number): Scenario[] {
  return [
    documents(1, Math.ceil(2_400 * scale), 0.45),
    documents(10, Math.ceil(240 * scale), 0.6),
    lines(Math.ceil(480 * scale)),
    messages(16, Math.ceil(16_000 * scale), {
      accepted: { leastPerSecond: 2_300, leastRatio: 0.5 },
      durable: { leastPerSecond: 1_600 },
    }),
    messages(64, Math.ceil(32_000 * scale), {
      accepted: { leastPerSecond: 4_500, leastRatio: 0.5 },
      durable: { leastPerSecond: 3_000 },
    }),
    preserving(16, Math.ceil(8_000 * scale)),
    nowWrites(16, Math.ceil(16_000 * scale), { accepted: { leastPerSecond: 2_500, mostP99Ms: 20 }, durable: {} }),
    nowWrites(64, Math.ceil(32_000 * scale), { accepted: { leastPerSecond: 3_500 }, durable: {} }),
  ];
}

function documents(columns: number, requests: number, leastRatio: number): Scenario {
  const header = JSON.stringify(
    Object.fromEntries(
      Array.from({ length: columns }, (_, c) => [c, { series: `c${c}`, name: `Column ${c}`, dataType: 'NUMBER' }]),
    ),
  );
  return {
    name: `documents, ${ROWS} records × ${columns} column${columns > 1 ? 's' : ''}`,
    requests,
    pointsPerRequest: ROWS * columns,
    floor: 'points',
    bars: { accepted: { leastRatio }, durable: {} },
    targets: 4,
    target: 'source',
    request: (id, nth) => ({
      method: 'PUT',
      path: `/api/v1/nodes/${id}/historic`,
      body: Buffer.from(
        `{"docType":"jts","version":"1.0","header":{"columns":${header}},"data":[${rows(nth * ROWS, columns)}]}`,
      ),
    }),
    lastRecordMs: (count) => FIRST_MS + (count * ROWS - 1) * STEP_MS,
  };
}

const BATCH = 5_000;
const SERIES = 10;
const TIMES = BATCH / SERIES;

/** Writes as Telegraf and other clients of InfluxDB do: a line for each point, with several series. */
const lines = (requests: number): Scenario => ({
  name: `line protocol, batches of ${BATCH}`,
  requests,
  pointsPerRequest: BATCH,
  floor: 'points',
  bars: { accepted: { leastRatio: 0.25 }, durable: {} },
  targets: 4,
  target: 'source',
  status: 204,
  request: (id, nth) => ({
    method: 'POST',
    path: `/api/v2/write?org=bench&bucket=${id}&precision=ms`,
    body: Buffer.from(
      Array.from({ length: BATCH }, (_, n) => {
        const time = nth * TIMES + Math.floor(n / SERIES);
        return `m,sensor=s${n % SERIES} v=${value(time)} ${FIRST_MS + time * STEP_MS}`;
      }).join('\n'),
    ),
  }),
  lastRecordMs: (count) => FIRST_MS + (count * TIMES - 1) * STEP_MS,
});

function rows(first: number, columns: number): string {
  const lines: string[] = [];
  for (let n = first; n < first + ROWS; n += 1) {
    const fields: string[] = [];
    for (let c = 0; c < columns; c += 1) fields.push(`"${c}":{"v":${value(n + c)}}`);
    lines.push(`{"ts":"${new Date(FIRST_MS + n * STEP_MS).toISOString()}","f":{${fields.join(',')}}}`);
  }
  return lines.join(',');
}

const messages = (connections: number, requests: number, bars: Scenario['bars']): Scenario => ({
  name: '3-point messages to data sources',
  requests,
  bars,
  pointsPerRequest: 3,
  floor: 'appends',
  targets: connections,
  target: 'source',
  request: (id, nth) => ({ method: 'PUT', path: `/api/v1/nodes/${id}/historic`, body: messageBody(nth) }),
  lastRecordMs: lastOfSingles,
});

/** Sends the same messages in a mode that the writer can only decide by what is stored. */
const preserving = (connections: number, requests: number): Scenario => ({
  ...messages(connections, requests, { accepted: {}, durable: {} }),
  name: '3-point messages with MERGE_PRESERVE_EXISTING',
  request: (id, nth) => ({
    method: 'PUT',
    path: `/api/v1/nodes/${id}/historic?writeMode=MERGE_PRESERVE_EXISTING`,
    body: messageBody(nth),
  }),
});

const nowWrites = (connections: number, requests: number, bars: Scenario['bars']): Scenario => ({
  name: 'single now writes',
  requests,
  bars,
  pointsPerRequest: 1,
  floor: 'appends',
  targets: connections,
  target: 'parameter',
  request: nowRequest,
  lastRecordMs: lastOfSingles,
});

/** One record of a parameter. */
export const nowRequest = (id: string, nth: number): LoadRequest => ({
  method: 'PUT',
  path: `/api/v1/nodes/${id}/historic/now`,
  body: `{"value":${value(nth)},"timestamp":"${new Date(FIRST_MS + nth * STEP_MS).toISOString()}"}`,
});

/** One record of three columns. */
export const messageBody = (nth: number): string =>
  `{"docType":"jts","version":"1.0","header":{"columns":{"0":{"series":"a"},"1":{"series":"b"},"2":{"series":"c"}}},"data":[{"ts":"${new Date(FIRST_MS + nth * STEP_MS).toISOString()}","f":{"0":{"v":${value(nth)}},"1":{"v":${value(nth + 1)}},"2":{"v":${value(nth + 2)}}}}]}`;

const lastOfSingles = (count: number): number => FIRST_MS + (count - 1) * STEP_MS;
