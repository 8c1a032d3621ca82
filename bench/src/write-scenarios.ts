import { FIRST_MS, STEP_MS, value } from './influx-floor.ts';
import type { LoadRequest } from './load.ts';

/** A way of writing that is measured, until the last record is readable. */
export type Scenario = {
  readonly name: string;
  readonly requests: number;
  readonly pointsPerRequest: number;
  /** Least ratio of the floor; absent = reported only. */
  readonly bar?: number;
  /** What is aimed at in class durable. */
  readonly goal: Goal;
  /** Data sources (or parameters) that the requests go to, each by a connection of its own. */
  readonly targets: number;
  readonly target: 'source' | 'parameter';
  /** @param nth how many requests this target has had */
  readonly request: (targetId: string, nth: number) => LoadRequest;
  /** Time of a target's last record, Unix ms. */
  readonly lastRecordMs: (requestsToTarget: number) => number;
};

export type Goal = {
  readonly name: string;
  /** Share of the floor. */
  readonly leastRatio?: number;
  readonly leastRequestsPerSecond?: number;
  readonly mostP99Ms?: number;
};

const ROWS = 1_000;
const DOCUMENTS = `documents, ${ROWS} records × 1 and × 10 columns, 4 connections`;

function documentScenario(columns: number, requests: number): Scenario {
  const header = JSON.stringify(
    Object.fromEntries(
      Array.from({ length: columns }, (_, c) => [c, { series: `c${c}`, name: `Column ${c}`, dataType: 'NUMBER' }]),
    ),
  );
  return {
    name: `documents, ${ROWS} records × ${columns} column${columns > 1 ? 's' : ''}`,
    requests,
    pointsPerRequest: ROWS * columns,
    bar: 0.25,
    goal: { name: `${DOCUMENTS}: × ${columns}`, leastRatio: 0.5 },
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

function rows(first: number, columns: number): string {
  const lines: string[] = [];
  for (let n = first; n < first + ROWS; n += 1) {
    const fields: string[] = [];
    for (let c = 0; c < columns; c += 1) fields.push(`"${c}":{"v":${value(n + c)}}`);
    lines.push(`{"ts":"${new Date(FIRST_MS + n * STEP_MS).toISOString()}","f":{${fields.join(',')}}}`);
  }
  return lines.join(',');
}

export function writeScenarios(scale: number): Scenario[] {
  return [
    documentScenario(1, Math.ceil(2_400 * scale)),
    documentScenario(10, Math.ceil(240 * scale)),
    {
      name: '3-point messages to data sources',
      goal: { name: '3-point messages to data sources, 16 connections', leastRequestsPerSecond: 5_000 },
      requests: Math.ceil(10_000 * scale),
      pointsPerRequest: 3,
      targets: 16,
      target: 'source',
      request: (id, nth) => ({
        method: 'PUT',
        path: `/api/v1/nodes/${id}/historic`,
        body: `{"docType":"jts","version":"1.0","header":{"columns":{"0":{"series":"a"},"1":{"series":"b"},"2":{"series":"c"}}},"data":[{"ts":"${new Date(FIRST_MS + nth * STEP_MS).toISOString()}","f":{"0":{"v":${value(nth)}},"1":{"v":${value(nth + 1)}},"2":{"v":${value(nth + 2)}}}}]}`,
      }),
      lastRecordMs: (count) => FIRST_MS + (count - 1) * STEP_MS,
    },
    {
      name: 'single now writes',
      goal: { name: 'single now writes, 16 connections', leastRequestsPerSecond: 3_000, mostP99Ms: 30 },
      requests: Math.ceil(8_000 * scale),
      pointsPerRequest: 1,
      targets: 16,
      target: 'parameter',
      request: (id, nth) => ({
        method: 'PUT',
        path: `/api/v1/nodes/${id}/historic/now`,
        body: `{"value":${value(nth)},"timestamp":"${new Date(FIRST_MS + nth * STEP_MS).toISOString()}"}`,
      }),
      lastRecordMs: (count) => FIRST_MS + (count - 1) * STEP_MS,
    },
  ];
}
