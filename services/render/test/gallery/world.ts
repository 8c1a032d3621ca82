import { notFound } from '@catchment/errors';
import { plotWidth } from '../../src/clients/drawing/draw-svg.ts';
import type { ChartNode, ChartNodeClass } from '../../src/domain/chart-node.ts';
import type { Records } from '../../src/domain/chart-series.ts';
import { stateIndexOf } from '../../src/domain/chart-series.ts';
import type { GivenChart } from '../../src/domain/chart-settings.ts';
import type { Parameter, ParameterState } from '../../src/domain/parameter.ts';
import type { ImageRequest, SeriesRecords } from '../../src/usecases/ports.ts';
import type { RenderDeps } from '../../src/usecases/render-chart.ts';
import { outlineOf } from '../outline.ts';

/** A chart is drawn of these: nodes by id, and the records of parameters. */
export type World = {
  readonly nodes: ReadonlyMap<string, Parameter | ChartNode>;
  readonly data: ReadonlyMap<string, Data>;
};

type Row = { readonly t: number; readonly v: number | string; readonly q?: number };
export type Data = readonly Row[];

const QUALITY_COLORS = { 149: '#b04ec1', 158: '#f9ae3a' };

export const parameter = (
  nodeId: string,
  chart: GivenChart = {},
  more: Partial<Omit<Parameter, 'chart' | 'nodeId'>> = {},
): Parameter => ({
  nodeId,
  workspaceId: 'workspace',
  name: nodeId,
  path: `demo/River/${nodeId}`,
  units: '',
  valueType: 'NUMBER',
  displayType: 'VALUE',
  states: { statesType: 'RANGE', states: [], hysteresis: 0 },
  chart,
  ...more,
});

export const state = (name: string, more: Partial<ParameterState> = {}): ParameterState =>
  ({ stateId: name, name, occurrences: 1, isAlarm: false, notifies: false, categoryId: '', ...more }) as ParameterState;

export const chartNode = (of: ChartNodeClass, name: string, attributes: Record<string, unknown>): ChartNode => ({
  nodeId: name,
  class: of,
  path: `demo/River/${name}`,
  attributes,
});

/** Returns the dependencies of a render service over the world. `draw` gets what is drawn. */
export function depsOf({ nodes, data }: World, draw: (request: ImageRequest) => Promise<Uint8Array>): RenderDeps {
  return {
    nodes: {
      get: async (nodeRef) => nodes.get(nodeRef) ?? Promise.reject(notFound()),
      named: async (ids) =>
        ids.map((id) => {
          const found = nodes.get(id);
          if (!found || 'attributes' in found) throw notFound();
          return found;
        }),
      linked: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const found = nodes.get(id);
            return found && !('attributes' in found) ? [[id, found] as const] : [];
          }),
        ),
    },
    records: recordsIn(data),
    qualities: { colors: async () => QUALITY_COLORS },
    preferences: { categories: async () => new Set(['operations']) },
    drawing: { draw, plotWidth: async (chart) => plotWidth(chart) },
    maxRecords: 1_000_000,
    maxBytes: 1e9,
  };
}

function recordsIn(data: World['data']): SeriesRecords {
  const rowsOf = (of: Parameter): Data => data.get(of.nodeId) ?? [];
  const limited = (of: Parameter, rows: Data, max: number) => (rows.length > max ? undefined : columns(of, rows));
  return {
    async read(of, { startMs, endMs, maxRecords }) {
      const rows = rowsOf(of);
      const inside = rows.filter(({ t }) => t >= startMs && t <= endMs);
      const before = rows.filter(({ t }) => t < startMs).slice(-1);
      const after = rows.filter(({ t }) => t > endMs).slice(0, 1);
      if (inside.length <= maxRecords) return columns(of, [...before, ...inside, ...after]);
      return { ...columns(of, [...before, ...inside.slice(0, maxRecords)]), isCut: true };
    },
    async outline(of, { startMs, endMs, columns: count, maxRecords }) {
      const rows = rowsOf(of);
      const inside = rows.filter(({ t }) => t >= startMs && t <= endMs);
      const all = columns(of, inside);
      const kept = outlineOf(all.timestamps, Float64Array.from(all.values), { startMs, endMs, columns: count });
      const before = rows.filter(({ t }) => t < startMs).slice(-1);
      const after = rows.filter(({ t }) => t > endMs).slice(0, 1);
      return limited(of, [...before, ...kept.map((n) => inside[n] as Row), ...after], maxRecords);
    },
    async aggregate(of, { startMs, endMs, maxRecords, arguments: given }) {
      const results = aggregated(rowsOf(of), startMs, endMs, given);
      const records = limited(of, results, maxRecords);
      return records && { ...records, isAggregate: true };
    },
    async rows(
      of,
      { startMs = Number.NEGATIVE_INFINITY, endMs = Number.POSITIVE_INFINITY, limit, maxRecords, ...query },
    ) {
      const { aggregate, qualityExcluded } = query.arguments;
      const good = rowsOf(of).filter(({ q }) => qualityExcluded === undefined || q === undefined);
      if (aggregate !== undefined) return limited(of, aggregated(good, startMs, endMs, query.arguments), maxRecords);
      const inside = good.filter(({ t }) => t >= startMs && t <= endMs);
      if (limit === 0) return limited(of, inside, maxRecords);
      return columns(of, Number.isFinite(startMs) ? inside.slice(0, limit) : inside.slice(-limit));
    },
    async edges(of) {
      const rows = rowsOf(of);
      return { firstMs: rows[0]?.t ?? null, lastMs: rows.at(-1)?.t ?? null };
    },
  };
}

function columns(of: Parameter, rows: Data): Records {
  const value = ({ v }: Row) => (typeof v === 'string' ? stateIndexOf(of, v) : v);
  return {
    timestamps: Float64Array.from(rows, ({ t }) => t),
    values: of.valueType === 'TEXT' ? Int32Array.from(rows, value) : Float64Array.from(rows, value),
    ...(rows.some(({ q }) => q !== undefined) && { qualities: Int32Array.from(rows, ({ q }) => q ?? -1) }),
  };
}

const HOUR_MS = 3_600_000;
const RESULTS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  AVERAGE: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  MIN: (values) => Math.min(...values),
  MAX: (values) => Math.max(...values),
  START: ([first = Number.NaN]) => first,
  INTERPOLATED: ([first = Number.NaN]) => first,
};

/** Returns results of intervals of whole hours, as far as pictures need. */
function aggregated(
  rows: Data,
  startMs: number,
  endMs: number,
  { aggregate = '', interval = '1H' }: Record<string, string>,
): Data {
  const step = Number.parseInt(interval, 10) * (interval.endsWith('D') ? 24 : 1) * HOUR_MS;
  const result = RESULTS[aggregate] ?? (RESULTS.AVERAGE as (values: readonly number[]) => number);
  const byInterval = Map.groupBy(
    rows.filter(({ t }) => t >= startMs && t < endMs),
    ({ t }) => Math.floor(t / step) * step,
  );
  return [...byInterval].map(([t, own]) => ({ t, v: result(own.map(({ v }) => Number(v))) }));
}
