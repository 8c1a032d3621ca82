import { invalid } from '@catchment/errors';
import { isJsonObject } from '@catchment/json-body';
import { EXPORT_ARGUMENTS } from '@catchment/query';
import { badBody } from '../../series/index.ts';

/** An export has one of these layouts of files. */
const LAYOUTS = ['FILE_PER_PARAMETER', 'INTERLEAVED'] as const;
const FORMATS = ['CSV', 'JTS'] as const;

/** Returns the format of the read of which a file is made. */
export const formatOf = (format: ExportPlan['format']): 'CSV' | 'JSON' => (format === 'CSV' ? 'CSV' : 'JSON');

export type ExportPlan = {
  readonly format: (typeof FORMATS)[number];
  readonly layout: (typeof LAYOUTS)[number];
  /** Parameters and Locations, in order. */
  readonly nodeIds: readonly string[];
  /** The nodes are in these workspaces. A user who may not read in one of them sees nothing of the export. */
  readonly workspaceIds: readonly string[];
  /** All columns share these arguments of a read, by their names. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Unix ms, both inclusive; null where the range is open. */
  readonly startMs: number | null;
  readonly endMs: number | null;
};

export type Export = {
  readonly exportId: string;
  readonly ownerId: string;
  readonly plan: ExportPlan;
  readonly state: 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED';
  readonly seriesDone: number;
  readonly records: number;
  readonly sizeBytes: number | null;
  readonly failure: string | null;
  /** Unix ms. */
  readonly createdMs: number;
  readonly endedMs: number | null;
};

/** A file is kept for this long after it was made. */
export const KEPT_HOURS = 12;
const NODES_MAX = 500;
type WantedExport = Pick<ExportPlan, 'format' | 'layout' | 'arguments'> & {
  readonly nodeRefs: readonly string[];
};

/** @throws DomainError invalid_argument naming the attribute */
export function readExport(body: unknown): WantedExport {
  if (!isJsonObject(body)) throw badBody('body', 'must be an object');
  const { nodes } = body;
  const isList = Array.isArray(nodes) && nodes.length > 0 && nodes.length <= NODES_MAX;
  if (!isList || !nodes.every((node) => typeof node === 'string'))
    throw badBody('nodes', `must name 1 to ${NODES_MAX} parameters, Locations or data sources`);
  for (const name of Object.keys(body))
    if (!['nodes', 'format', 'layout'].includes(name) && !EXPORT_ARGUMENTS.includes(name as never))
      throw badBody(name.slice(0, 40), 'is no attribute of an export');
  return {
    nodeRefs: [...new Set(nodes as string[])],
    format: choice('format', body.format, FORMATS),
    layout: choice('layout', body.layout, LAYOUTS),
    arguments: Object.fromEntries(
      EXPORT_ARGUMENTS.flatMap((name) => {
        const value = body[name];
        if (value === undefined || value === null) return [];
        if (typeof value !== 'string' && typeof value !== 'boolean') throw badBody(name, 'must be a text');
        return [[name, String(value)]];
      }),
    ),
  };
}

function choice<const T extends string>(name: string, given: unknown, of: readonly [T, ...T[]]): T {
  if (given === undefined || given === null) return of[0];
  const found = typeof given === 'string' ? of.find((known) => known === given.toUpperCase()) : undefined;
  if (!found) throw badBody(name, `must be one of ${of.join(', ')}`);
  return found;
}

export const tooManySeries = () =>
  invalid('INVALID_PARAMS', `nodes: at most ${NODES_MAX} series may be exported at once`);
export const SERIES_MAX = NODES_MAX;

/** Makes the public document of an export. */
export function exportView(found: Export): object {
  const { plan, endedMs } = found;
  return {
    _id: found.exportId,
    state: found.state,
    format: plan.format,
    layout: plan.layout,
    series: plan.nodeIds.length,
    seriesDone: found.seriesDone,
    records: found.records,
    sizeBytes: found.sizeBytes,
    failure: found.failure,
    createdTime: iso(found.createdMs),
    endedTime: endedMs === null ? null : iso(endedMs),
    expiryTime: endedMs === null ? null : iso(endedMs + KEPT_HOURS * 3_600_000),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Returns a name within an archive: that of the node without what no file system takes, and its id, by which the name is unique. */
export const memberName = (
  { name, nodeId }: { name: string; nodeId: string },
  { format }: Pick<ExportPlan, 'format'>,
): string => {
  const safe = name
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '_')
    .slice(0, 80)
    .trim();
  return `${safe}_${nodeId}.${format === 'CSV' ? 'csv' : 'json'}`;
};
