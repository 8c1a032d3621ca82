import type { ReadRequest } from '@catchment/contracts/historic';
import { toDomainError, tooLarge } from '@catchment/errors';
import { type Caller, scopeOf } from '@catchment/grpc';
import { evaluateOpc, type OpcContext, type TimeArgument, timeFormatter } from '@catchment/time';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { csvText } from '../domain/csv-text.ts';
import { jtsText, type ShownRange } from '../domain/jts-text.ts';
import { type ReadOptions, readOptions } from '../domain/read-options.ts';
import { type GivenRange, planRange } from '../domain/read-range.ts';
import type { RecordSet } from '../domain/record-set.ts';
import { type SeriesNode, seriesOf } from '../domain/series-node.ts';
import { viewOf } from '../domain/series-view.ts';
import type { RecordReader } from '../store/influx-records.ts';
import { type AnswerLimits, collectModified, collectRecords } from './collect-records.ts';
import { boundsOf } from './edges.ts';
import type { ReadQueue } from './read-queue.ts';

export type ReadDeps = {
  readonly catalogue: Pick<Catalogue, 'resolve'>;
  readonly reader: RecordReader;
  readonly queue: ReadQueue;
  readonly limits: AnswerLimits;
  readonly maxMs: number;
  readonly now: () => number;
};

export type ReadCall = { readonly caller: Caller; readonly token: string; readonly signal: AbortSignal };

const PIECE_CHARACTERS = 64 * 1024;
const CONTENT_TYPE = { JSON: 'application/json; charset=utf-8', CSV: 'text/csv; charset=utf-8' } as const;

/** `GET /nodes/:id/historic`: the answer's type, and its text in pieces once everything is known to be well. */
export async function* readHistoric(
  deps: ReadDeps,
  request: ReadRequest,
  call: ReadCall,
): AsyncGenerator<{ contentType: string; text: string }> {
  const nowMs = request.arrivalMs || deps.now();
  const options = readOptions(request.arguments, nowMs);
  const settled = settleBounds(options, nowMs);
  const scope = scopeOf(call.caller);
  const resolved = await deps.catalogue.resolve(request.nodeRef, { scope, isService: false, token: call.token });
  const node = seriesOf(resolved, 'reading historic data');
  const view = viewOf(node, options);

  // A place in the queue is held until the text is sent: what an answer holds in memory is bounded with it.
  const leave = await deps.queue.enter(call.signal);
  try {
    const late = AbortSignal.timeout(deps.maxMs);
    const signal = AbortSignal.any([call.signal, late]);
    const { records, range } = await fetchRecords(deps, node, options, settled ?? { nowMs }, signal).catch(
      (error: unknown) => {
        throw late.aborted ? tooLarge() : toDomainError(error);
      },
    );
    const contentType = CONTENT_TYPE[options.format];
    const print =
      options.timeFormat === undefined ? options.zone.formatIso : timeFormatter(options.timeFormat, options.zone);
    const lines =
      options.format === 'CSV'
        ? csvText(records, view, options.csv, print)
        : jtsText(records, view, range, {
            zone: options.zone,
            csv: options.csv,
            timestamp: (ms) => JSON.stringify(print(ms)),
          });
    let text = '';
    for (const line of lines) {
      text += line;
      if (text.length < PIECE_CHARACTERS) continue;
      yield { contentType, text };
      text = '';
    }
    yield { contentType, text };
  } finally {
    leave();
  }
}

type Bounds = Pick<GivenRange, 'startMs' | 'endMs'>;

/**
 * The bounds, where neither depends on the records of the series; checked before the node is looked up (semantics 1.3).
 * @throws DomainError invalid_argument
 */
function settleBounds({ start, end, limit, zone }: ReadOptions, nowMs: number): Bounds | undefined {
  if (needsSeries(start) || needsSeries(end)) {
    // Such a bound stands for some time: whether enough is given can be told without knowing which.
    planRange({ startMs: start && 0, endMs: end && 0, limit });
    return undefined;
  }
  const bounds = {
    startMs: boundMs(start, 'startTime', { nowMs, zone }),
    endMs: boundMs(end, 'endTime', { nowMs, zone }),
  };
  planRange({ ...bounds, limit });
  return bounds;
}

const needsSeries = (argument: TimeArgument | undefined): boolean =>
  argument?.kind === 'relative' && ['FIRST', 'LAST'].includes(argument.expression.base);

const boundMs = (argument: TimeArgument | undefined, name: string, context: OpcContext): number | undefined =>
  argument?.kind === 'relative' ? evaluateOpc(argument.expression, context, name) : argument?.instantMs;

async function fetchRecords(
  deps: ReadDeps,
  node: SeriesNode,
  options: ReadOptions,
  settled: Bounds | { readonly nowMs: number },
  signal: AbortSignal,
): Promise<{ records: RecordSet; range: ShownRange }> {
  const bounds = 'nowMs' in settled ? await evaluateBounds(deps, node, options, settled.nowMs, signal) : settled;
  const { limit, excluded } = options;
  const plan = planRange({ ...bounds, limit });
  const from = { reader: deps.reader, node, excluded, limits: deps.limits, signal };
  const records =
    options.timeQuery === 'MODIFIED'
      ? await collectModified(from, { ...bounds, limit })
      : await collectRecords(from, plan);
  const firstMs = records.count === 0 ? null : (records.times[0] ?? null);
  const lastMs = records.count === 0 ? null : (records.times[records.count - 1] ?? null);
  return { records, range: { startMs: bounds.startMs ?? firstMs, endMs: bounds.endMs ?? lastMs } };
}

async function evaluateBounds(
  deps: ReadDeps,
  node: SeriesNode,
  { start, end, zone }: ReadOptions,
  nowMs: number,
  signal: AbortSignal,
): Promise<Bounds> {
  const key = { nodeId: node.nodeId, valueType: node.series.valueType };
  const context = { nowMs, zone, ...(await boundsOf(deps.reader, key, signal)) };
  return { startMs: boundMs(start, 'startTime', context), endMs: boundMs(end, 'endTime', context) };
}
