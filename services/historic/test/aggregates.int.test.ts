import { newObjectId } from '@catchment/ids';
import { FLAG, type Column as LogColumn } from '@catchment/ingest-log';
import { DEFAULT_TABLE } from '@catchment/quality';
import { createLogger } from '@catchment/telemetry';
import { amount, testInflux } from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import { column } from '@catchment/testkit/columns';
import { InfluxSummaries } from '../src/aggregates/store/influx-summaries.ts';
import { AnswerBudget } from '../src/columns/domain/answer-budget.ts';
import { readOptions } from '../src/columns/domain/read-options.ts';
import { viewOf } from '../src/columns/domain/series-view.ts';
import { InfluxConnection } from '../src/influx/store/influx-connection.ts';
import { collectTable } from '../src/read/usecases/collect-table.ts';
import type { StoredRecord } from '../src/records/domain/record-set.ts';

import { InfluxRecords } from '../src/records/store/influx-records.ts';
import { type PlainResult, plainAggregate } from './aggregate-reference.ts';
import { type Asked, difference, plainQuery, RandomAggregates } from './random-aggregates.ts';
import { seriesNode, TYPES } from './series.ts';

const SERIES = 40;
const QUESTIONS = 5;
const { signal } = new AbortController();

let influx: Awaited<ReturnType<typeof testInflux>>;
let connection: InfluxConnection;
let records: InfluxRecords;
let summaries: InfluxSummaries;
beforeAll(async () => {
  influx = await testInflux();
  const log = createLogger('test', { level: 'silent' });
  connection = new InfluxConnection({ url: influx.url, database: influx.database, log });
  records = new InfluxRecords(connection, { leastRun: 2 });
  summaries = new InfluxSummaries(connection);
});
afterAll(async () => {
  connection?.close();
  await influx?.drop();
});

/** Returns the records as a column of the log; a time without a part is a deleted record. */
function columnOf(nodeId: string, isText: boolean, list: readonly Partial<StoredRecord>[]): LogColumn {
  const flags = list.map(({ number, text, quality, annotation }) => {
    const parts =
      (number !== undefined || text !== undefined ? FLAG.value : 0) |
      (quality !== undefined ? FLAG.quality : 0) |
      (annotation !== undefined ? FLAG.annotation : 0);
    return parts || FLAG.deleteMarker;
  });
  const isPlain = flags.length > 0 && flags.every((bits) => bits === FLAG.value);
  return column(
    list.map(({ timeMs = 0 }) => timeMs),
    {
      nodeId,
      valueType: isText ? TYPES.TEXT : TYPES.NUMBER,
      flags: isPlain ? Uint8Array.of(FLAG.value) : Uint8Array.from(flags),
      numbers: Float64Array.from(list, ({ number }) => number ?? Number.NaN),
      texts: list.map(({ text }) => text ?? ''),
      qualities: Uint16Array.from(list, ({ quality }) => quality ?? 0),
      annotations: new Map(list.flatMap(({ annotation }, n) => (annotation ? [[n, annotation] as const] : []))),
    },
  );
}

type Stored = { readonly node: ReturnType<typeof seriesNode>; readonly records: readonly Partial<StoredRecord>[] };

async function ask(stored: readonly Stored[], given: readonly Record<string, string>[], asked: Required<Asked>) {
  const { startMs, endMs, limit, nowMs } = asked;
  const columns = stored.map(({ node }, n) => {
    const options = readOptions(given[n] ?? {}, nowMs);
    return { node, options, view: viewOf(node, options) };
  });
  const options = readOptions(given[0] ?? {}, nowMs);
  const budget = new AnswerBudget({ maxRecords: 1e6, maxBytes: 1e9 });
  const excluded = options.excluded ?? new Set();
  const shared = { reader: records, summaries, excluded, quality: DEFAULT_TABLE, budget };
  const query = { bounds: { startMs, endMs }, limit, nowMs, zone: options.zone };
  const table = await collectTable(shared, columns, query, signal);
  return table.columns.map(({ records: set }) =>
    Array.from({ length: set.count }, (_, n) => set.at(n)).map(
      ({ timeMs, number, text, quality }): PlainResult => ({ timeMs, value: text ?? number, quality }),
    ),
  );
}

const seed = seedOf('AGGREGATE_SEED');
const cases = Number(process.env.AGGREGATE_STORE_CASES ?? amount(500, 2_000));

test(`${cases} random columns agree with the plain reference, whoever computes them (AGGREGATE_SEED=${seed})`, async () => {
  const random = new RandomAggregates(seed);
  for (let n = 0; n < cases; n += SERIES * QUESTIONS) {
    const moment = random.moment();
    const stored: Stored[] = [];
    for (let s = 0; s < SERIES; s += 1) {
      const { config, records: live } = random.series(moment);
      const node = seriesNode({ nodeId: newObjectId(), series: config });
      const isText = config.valueType === TYPES.TEXT;
      if (random.share() < 0.3) {
        // The earlier records are others at some of the times, and others that the second write deletes.
        const before = random.series(moment).records.filter(({ text }) => (text !== undefined) === isText);
        const gone = before.flatMap(({ timeMs = 0 }): Partial<StoredRecord>[] =>
          live.some((record) => record.timeMs === timeMs) ? [] : [{ timeMs }],
        );
        const earlier = live
          .filter(() => random.share() < 0.3)
          .map((record) => ({ ...record, quality: random.pick(155, 9) }));
        await records.writeColumns([columnOf(node.nodeId, isText, [...before, ...earlier])], signal);
        await records.writeColumns([columnOf(node.nodeId, isText, [...gone, ...live])], signal);
      } else await records.writeColumns([columnOf(node.nodeId, isText, live)], signal);
      stored.push({ node, records: live });
    }
    for (let q = 0; q < QUESTIONS; q += 1) {
      const { given, asked } = random.question(moment);
      const columns = stored.map(({ node }) => ({ ...given, ...random.column(node.series) }));
      const answers = await ask(stored, columns, asked);
      for (const [s, { node, records: live }] of stored.entries()) {
        const own = columns[s] ?? {};
        const plain = random.plainOf(live, node.series, own);
        const problem = difference(
          answers[s] ?? [],
          plainAggregate(plain, plainQuery(own, asked, plain, node.series.isDirection)),
        );
        if (problem)
          throw new Error(`seed ${seed}, case ${n}/${q}/${s}: ${problem}\n${JSON.stringify({ own, asked, plain })}`);
      }
    }
  }
}, 3_600_000);
