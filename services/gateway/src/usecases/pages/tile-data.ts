import type { SeriesChunk } from '@catchment/contracts/historic';
import type { GetTileResponse, TileNode } from '@catchment/contracts/pages';
import { type ChartData, gapMsOf, LEARNT_RECORDS, type TableView } from '@catchment/dashboard-view';
import { inParallel } from '@catchment/fair-queue';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import { tableCells } from '../../domain/table-cells.ts';
import type { Peers } from '../ports.ts';
import { pageCaller } from './visit.ts';

/** Rows of a table. */
const ROWS = 100;
const CALL_MS = 60_000;
/** This many series of a chart are read at a time. */
const AT_ONCE = 4;

type TileDeps = {
  readonly historic: Pick<Peers['historic'], 'readSeries' | 'readMany'>;
  readonly signer: CallerSigner;
};
type TileRead = {
  readonly ownerId: string;
  readonly tile: GetTileResponse;
  readonly arrivalMs: number;
  readonly signal: AbortSignal;
};

/** Options for reads of what a tile shows, and of nothing else: what its viewer may see was decided before. */
export const tileOptions = async (
  { signer }: Pick<TileDeps, 'signer'>,
  { ownerId, tile: { workspaceId }, signal }: Pick<TileRead, 'ownerId' | 'tile' | 'signal'>,
): Promise<CallOptions> => ({
  token: await signer.sign(pageCaller({ ownerId, workspaceId })),
  signal,
  timeoutMs: CALL_MS,
});

/**
 * Reads the lines of a chart: of each pixel column the first, last, lowest and highest record, and the nearest ones
 * beyond the range; the last records show how far apart neighbours may lie, where the parameter does not say it.
 * @param width columns
 */
export async function readChart(deps: TileDeps, read: TileRead, width: number): Promise<ChartData> {
  const { startMs, endMs, nodes } = read.tile;
  const options = await tileOptions(deps, read);
  const series = await inParallel(nodes, { atOnce: AT_ONCE, signal: read.signal }, async (node, signal) =>
    node.isNumber ? readLine(deps, read, node, width, { ...options, signal }) : { times: [], values: [], gapMs: null },
  );
  return { start: startMs, end: endMs, series };
}

async function readLine(
  { historic }: TileDeps,
  { tile, arrivalMs }: TileRead,
  { nodeId, expectedIntervalSeconds }: TileNode,
  width: number,
  options: CallOptions,
): Promise<ChartData['series'][number]> {
  const { startMs, endMs } = tile;
  const request = { nodeRef: nodeId, endMs, transformed: true, arrivalMs, ownerId: '' };
  const shown = { ...request, startMs, limit: 0, bounding: true };
  const reduced = { reduce: 'M4', width: String(width), ...tile.arguments };
  const last = { ...request, limit: LEARNT_RECORDS, bounding: false, arguments: {} };
  const [points, learnt] = await Promise.all([
    pointsOf(historic.readSeries({ ...shown, arguments: reduced }, options)),
    expectedIntervalSeconds === undefined ? pointsOf(historic.readSeries(last, options)) : [],
  ]);
  const learntMs = gapMsOf(
    expectedIntervalSeconds,
    learnt.map(([ms]) => ms),
  );
  // Neighbours within a column may have had others between them.
  const gapMs = Math.max(learntMs, (endMs - startMs) / width);
  return {
    times: points.map(([ms]) => ms),
    values: points.map(([, value]) => value),
    gapMs: Number.isFinite(gapMs) ? gapMs : null,
  };
}

/** Returns records in the order of their times. */
async function pointsOf(chunks: AsyncIterable<SeriesChunk>): Promise<[number, number | null][]> {
  const points: [number, number | null][] = [];
  for await (const { timestamps, numbers } of chunks) {
    const [times, values] = [doublesOf(timestamps), doublesOf(numbers)];
    for (const [i, ms] of times.entries()) {
      const value = values[i] ?? Number.NaN;
      points.push([ms, Number.isNaN(value) ? null : value]);
    }
  }
  return points.sort(([a], [b]) => a - b);
}

/** Little-endian doubles, copied where they do not lie as an array of them must. */
function doublesOf(bytes: Uint8Array): Float64Array {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float64Array(aligned.buffer, aligned.byteOffset, Math.floor(bytes.byteLength / 8));
}

/** Reads the newest rows of a table, as CSV of the API shows them. */
export async function readTable(deps: TileDeps, read: TileRead): Promise<TableView> {
  const { tile, arrivalMs } = read;
  const shown = tile.nodes.filter(({ nodeId }) => nodeId !== '');
  const columns = tile.nodes.map(({ name, units, isNumber }) => ({ name, units, ...(isNumber && { isNumber }) }));
  if (shown.length === 0) return { columns, rows: [], hasMore: false };
  const isAggregated = shown.some((node) => Object.keys(node.arguments).length > 0);
  const given = {
    ...tile.arguments,
    params: shown.map(paramOf).join(','),
    format: 'CSV',
    header: 'FALSE',
    delimiter: '\t',
    textQualifier: '"',
    endTime: isoOf(tile.endMs),
    // Intervals are those of the range; of records, the last ones before its end.
    ...(isAggregated ? { startTime: isoOf(tile.startMs) } : { limit: String(ROWS + 1) }),
  };
  const parts: Buffer[] = [];
  const options = await tileOptions(deps, read);
  for await (const { data } of deps.historic.readMany({ arguments: given, arrivalMs }, options)) parts.push(data);
  const all = tableCells(Buffer.concat(parts).toString())
    .map(([time = '', ...cells]) => ({ ms: Date.parse(time), cells }))
    .filter(({ ms }) => ms >= tile.startMs);
  const rows = all.slice(-ROWS).reverse();
  return {
    columns,
    rows: rows.map(({ ms, cells }) => ({ time: isoOf(ms), cells: inColumns(tile.nodes, cells) })),
    hasMore: all.length > ROWS,
  };
}

const paramOf = ({ nodeId, arguments: given }: TileNode): string => {
  const pairs = Object.entries(given).map(([name, value]) => `${name}:${value}`);
  return pairs.length === 0 ? nodeId : `${nodeId}(${pairs.join(';')})`;
};

/** Cells of the columns that are read, with empty ones where a link is broken. */
function inColumns(nodes: readonly TileNode[], cells: readonly string[]): string[] {
  let next = 0;
  return nodes.map(({ nodeId }) => {
    if (nodeId === '') return '';
    next += 1;
    return cells[next - 1] ?? '';
  });
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
