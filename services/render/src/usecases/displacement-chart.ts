import { tooLarge } from '@catchment/errors';
import { formatTime, MAX_INSTANT_MS, MIN_INSTANT_MS } from '@catchment/time';
import type { Profiles } from '../domain/chart.ts';
import { evaluateRange, needsEdges, type TimeRange } from '../domain/chart-arguments.ts';
import { type ChartNode, openRange, titlesOf } from '../domain/chart-node.ts';
import type { Records } from '../domain/chart-series.ts';
import {
  commonTimes,
  type Displacement,
  measured,
  processed,
  readDisplacement,
  thinned,
  valuesAt,
  valuesUntil,
} from '../domain/displacement.ts';
import type { Parameter } from '../domain/parameter.ts';
import { describeAggregate } from '../domain/reduction.ts';
import { rowAggregate } from '../domain/row-aggregate.ts';
import { edgesOf } from './evaluated-range.ts';
import type { RowsQuery } from './ports.ts';
import { readInParallel } from './read-in-parallel.ts';
import type { Asking, RenderDeps } from './render-chart.ts';

type Slots<T> = readonly (T | undefined)[];

/** Rows that are read first where a number of common ones is looked for, and how many times more each time that they do not do. */
const FIRST_ROWS = 100;
const MORE_ROWS = 8;

/**
 * Makes the profiles of a displacement node (docs/reference/charts.md#displacement-node): one read for each measurement, and further ones
 * for what lies outside of the range.
 * @throws DomainError as `renderNode`
 */
export async function displacementChart(deps: RenderDeps, node: ChartNode, asking: Asking): Promise<Profiles> {
  const { asked, call } = asking;
  const chart = readDisplacement(node.attributes);
  const { measurements, profile } = chart;
  const links = [...measurements, ...(profile.kind === 'PARAMETERS' ? profile.links : [])];
  const found = await deps.nodes.linked(
    links.map(({ nodeId }) => nodeId),
    call,
  );
  const parameters = measurements.map(({ nodeId }) => found.get(nodeId));
  const rows = rowsOf(deps, parameters, asking);
  const { times, series, aggregate } = await shownTimes(
    deps,
    chart,
    { parameters, rows },
    openRange(asked, node.attributes),
    asking,
  );
  const baseline = await baselineOf(chart, times, series, rows);
  const shown = thinned(times, chart.maxSeries);
  const positionsAt = await positionsOf(deps, chart, found, shown, asking);
  return {
    kind: 'PROFILES',
    series:
      baseline === 'NONE'
        ? []
        : shown.map((t, index) => {
            const values = measured(processed(valuesAt(series, t), chart.process), baseline, chart.offset);
            const positions = positionsAt(t);
            return {
              name: formatTime(t, chart.seriesTimeFormat, asked.zone),
              color: chart.colorOf(index, shown.length),
              ...(chart.isVertical ? { xs: values, ys: positions } : { xs: positions, ys: values }),
            };
          }),
    along: chart.isVertical ? 'y' : 'x',
    xAxis: chart.xAxis,
    yAxis: chart.yAxis,
    thresholds: chart.thresholds,
    style: chart.style,
    missing: links.filter(({ nodeId }) => !found.has(nodeId)).map(({ name, nodeId }) => name || nodeId),
    footer: [
      asked.zoneLabel,
      ...(aggregate ? [describeAggregate(aggregate)] : []),
      ...(baseline === 'NONE' ? ['no series for the baseline'] : []),
    ].join(' · '),
    width: asked.width,
    height: asked.height,
    ...titlesOf(node, asked),
  };
}

type Rows = {
  /** Reads each measurement once; undefined stands for those that are missing. */
  readonly read: (query: Pick<RowsQuery, 'startMs' | 'endMs' | 'limit' | 'arguments'>) => Promise<Slots<Records>>;
  /** Returns the `wanted` common instants that are nearest to one end, ascending, with their records. */
  readonly nearest: (end: { startMs: number } | { endMs: number }, wanted: number) => Promise<Shown>;
};
type Shown = { readonly times: readonly number[]; readonly series: Slots<Records> };

/** Reads of all measurements together have the records of one answer. */
function rowsOf(deps: RenderDeps, parameters: Slots<Parameter>, { nowMs, call }: Asking): Rows {
  const read: Rows['read'] = async (query) => {
    let left = deps.maxRecords;
    return readInParallel(parameters, call, async (parameter, reading) => {
      if (!parameter) return undefined;
      const records = await deps.records.rows(parameter, { ...query, maxRecords: left, nowMs }, reading);
      left -= records?.timestamps.length ?? 0;
      if (!records || left < 0) throw tooLarge();
      return records;
    });
  };
  return {
    read,
    async nearest(end, wanted) {
      const most = Math.max(1, Math.floor(deps.maxRecords / Math.max(parameters.length, 1)));
      for (let limit = FIRST_ROWS; ; limit *= MORE_ROWS) {
        const series = await read({ ...end, limit: Math.min(limit, most), arguments: {} });
        const times = commonTimes(series.filter((parameter) => parameter !== undefined));
        const all = 'startMs' in end ? times.slice(0, wanted) : times.slice(-wanted);
        if (all.length >= wanted || limit >= most || isCovered(series, Math.min(limit, most)))
          return { times: all, series };
      }
    },
  };
}

/** Returns whether no series has more rows than were asked for. */
const isCovered = (series: Slots<Records>, limit: number): boolean =>
  series.every((records) => records === undefined || records.timestamps.length < limit);

async function shownTimes(
  deps: RenderDeps,
  chart: Displacement,
  { parameters, rows }: { readonly parameters: Slots<Parameter>; readonly rows: Rows },
  { start, end }: Partial<TimeRange>,
  { asked, nowMs, call }: Asking,
) {
  const present = parameters.filter((parameter) => parameter !== undefined);
  const isOpen = !start || !end;
  const isAggregated = rowAggregate(chart.aggregation, { startMs: 0, endMs: 0 }) !== undefined;
  const hasEdges = [start, end].some((time) => time && needsEdges({ start: time, end: time }));
  const edges =
    hasEdges || (isOpen && isAggregated) ? await edgesOf(deps.records, present, call) : { firstMs: null, lastMs: null };
  const context = { nowMs, ...edges };
  const at = (time: TimeRange['start']) => evaluateRange({ start: time, end: time, zone: asked.zone }, context).startMs;

  if (isOpen && !isAggregated) {
    const side = end ? { endMs: at(end) } : { startMs: start ? at(start) : MIN_INSTANT_MS };
    return { ...(await rows.nearest(side, chart.maxSeries)), aggregate: undefined };
  }
  const range =
    start && end
      ? evaluateRange({ start, end, zone: asked.zone }, context)
      : {
          startMs: start ? at(start) : (edges.firstMs ?? MIN_INSTANT_MS),
          endMs: end ? at(end) : (edges.lastMs ?? MAX_INSTANT_MS),
        };
  const aggregate = rowAggregate(chart.aggregation, range);
  const series = await rows.read({ ...range, limit: 0, arguments: { ...asked.zoneArguments, ...aggregate } });
  const times = commonTimes(series.filter((parameter) => parameter !== undefined));
  const kept = !isOpen ? times : end ? times.slice(-chart.maxSeries) : times.slice(0, chart.maxSeries);
  return { times: kept, series, aggregate };
}

/** Returns what is subtracted from every series; undefined = nothing, NONE = there is no such series. */
async function baselineOf(
  { baseline, baselineTimeMs, process }: Displacement,
  times: readonly number[],
  series: Slots<Records>,
  rows: Rows,
): Promise<Float64Array | undefined | 'NONE'> {
  if (baseline === 'ABSOLUTE' || times.length === 0) return undefined;
  const side =
    baseline === 'RELATIVE_FIRST' ? { startMs: MIN_INSTANT_MS } : { endMs: baselineTimeMs ?? MAX_INSTANT_MS };
  const from = baseline === 'RELATIVE_RANGE' ? { times: times.slice(0, 1), series } : await rows.nearest(side, 1);
  const [t] = from.times;
  return t === undefined ? 'NONE' : processed(valuesAt(from.series, t), process);
}

/** Returns where the measurements lie at an instant: parameters keep their values until they have others. */
async function positionsOf(
  deps: RenderDeps,
  { profile, measurements }: Displacement,
  found: ReadonlyMap<string, Parameter>,
  shown: readonly number[],
  { call }: Asking,
): Promise<(t: number) => Float64Array> {
  if (profile.kind === 'FIXED') {
    const positions = Float64Array.from(measurements, (_, index) => profile.positions[index] ?? Number.NaN);
    return () => positions;
  }
  const [startMs, endMs] = [shown[0], shown.at(-1)];
  if (startMs === undefined || endMs === undefined) return () => new Float64Array(0);
  let left = deps.maxRecords;
  const series = await readInParallel(measurements, call, async (_, reading, index) => {
    const parameter = found.get(profile.links[index]?.nodeId ?? '');
    if (!parameter) return undefined;
    const records = await deps.records.read(parameter, { startMs, endMs, maxRecords: left }, reading);
    left -= records.timestamps.length;
    if (records.isCut || left < 0) throw tooLarge();
    return records;
  });
  return (t) => valuesUntil(series, t).map((position) => position + profile.offset);
}
