import { WriteMode } from '@catchment/contracts/ingest';
import { type EnsureParametersRequest_Column, type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { invalid } from '@catchment/errors';
import { inSlices } from '@catchment/fair-queue';
import type { LogEntry } from '@catchment/ingest-log';
import type { Requester } from '@catchment/node-replica';
import { countOf } from '@catchment/number-format';
import { badBody } from '../domain/json-body.ts';
import type { DataType, HeaderColumn, JtsDocument } from '../domain/jts-document.ts';
import { type ColumnTarget, parseRecords } from '../domain/jts-records.ts';
import { checkSourceColumns, keyOf } from '../domain/map-columns.ts';
import { type Follower, type Positions, positionsOf } from '../domain/positions.ts';
import { isSeries, qualityOfStates, writableSeries } from '../domain/series-node.ts';
import type { SourceIndex } from '../domain/source-index.ts';
import { admitWrites, type SourceWrite } from './admit-writes.ts';
import { acquisitionEntry, columnEntry, type WriteFacts } from './log-entries.ts';
import { checkColumns } from './may-write.ts';
import type { WriteCall, WriteDeps } from './write-deps.ts';

type DocumentWrite = {
  readonly source: NodeConfig;
  readonly document: JtsDocument;
  readonly facts: WriteFacts;
  readonly origin: string;
  /** Part of an acquisition that another write has begun. */
  readonly continues: boolean;
  /** Part of a session of devices. */
  readonly inSession: boolean;
  /** Messages that were joined into the document; absent: one. */
  readonly deliveries: number | undefined;
  /** Of the last write of a file: rows of the ones before, and parameters that all of them update. */
  readonly earlierRows: number | undefined;
  readonly parameters: number | undefined;
  readonly requester: Requester;
  readonly call: WriteCall;
};

const TYPE_OF: Readonly<Record<DataType, ValueType>> = {
  NUMBER: ValueType.VALUE_TYPE_NUMBER,
  VALUE: ValueType.VALUE_TYPE_NUMBER,
  BOOLEAN: ValueType.VALUE_TYPE_NUMBER,
  TEXT: ValueType.VALUE_TYPE_TEXT,
  TIME: ValueType.VALUE_TYPE_TIME,
  COORDINATES: ValueType.VALUE_TYPE_COORDINATES,
};

/**
 * A write to the parameters of a data source (docs/reference/writing.md#data-source-writes). Parameters are made only after
 * all values are checked.
 */
export async function writeSource(deps: WriteDeps, write: DocumentWrite): Promise<number> {
  const { source, document, facts, origin, continues, inSession, deliveries, requester, call } = write;
  const { earlierRows = 0, parameters: updated = 0 } = write;
  checkSourceColumns(document);
  const followers = await followersOf(deps, source, call);
  const matchAll = (from: SourceIndex) =>
    Promise.all(document.columns.map((column) => match(deps, from, column, source, followers)));
  let index = await deps.catalogue.parametersOf(source);
  let found = await matchAll(index);
  if (found.includes(undefined)) {
    // Values are checked against the types, and get the qualities of the states, that nodes has now.
    index = await deps.catalogue.refreshParameters(source, requester);
    found = await matchAll(index);
  }
  const targets = document.columns.map((column, n) => targetOf(column, found[n], index));
  const { columns, rows } = await inSlices(parseRecords(document.rows, targets, 'refused'));
  checkColumns(call.caller, source.workspaceId, facts.writeMode, columns);
  // Single parameters may be closed to a workspace user: they do not exist for that user.
  if (requester.scope.closedTo) await deps.catalogue.checkVisible(idsOf(found), requester);
  const parameters = await complete(deps, write, found, targets);
  if (rows === 0) return 0;

  const isDiscarded = facts.writeMode === WriteMode.WRITE_MODE_DISCARD;
  const toEntries: SourceWrite['toEntries'] = (kept, did) => {
    const written = parameters.flatMap((parameter, n) => {
      const built = kept[n];
      return isSeries(parameter) && built && built.timestamps.length > 0 ? [columnEntry(parameter, built, facts)] : [];
    });
    const byParameter = parameters.map((parameter, n) => ({ parameter, built: kept[n] }));
    const following = BRINGS_NOTHING.has(facts.writeMode) ? [] : followers;
    const positions = following.flatMap((follower) => positionsOf(follower, byParameter) ?? []);
    const faults = positions.filter(({ bad }) => bad > 0).map((one) => faultEntry(source, one, facts));
    const moved = positions.flatMap(({ location, column }) =>
      column.timestamps.length > 0 ? [columnEntry(location, column, facts)] : [],
    );
    const acquisition = {
      isSource: true,
      parameters: Math.max(written.length, updated),
      origin,
      // It clears no dataAlarm that it raises.
      continues: continues || faults.length > 0,
      ...(inSession && { inSession }),
      ...(deliveries !== undefined && { deliveries }),
      ...did,
      rows: did.rows + earlierRows,
    };
    return [...written, ...moved, acquisitionEntry(source, acquisition, facts), ...faults];
  };
  const { nodeId: sourceId, ownerId } = source;
  const stored = isDiscarded ? { columns: [], rows: 0 } : { columns, rows };
  return admitWrites(deps, [{ sourceId, ownerId, source, toEntries, ...stored }], facts, call);
}

/** Modes in which nothing is written that a Location could follow. */
const BRINGS_NOTHING: ReadonlySet<WriteMode> = new Set([
  WriteMode.WRITE_MODE_DELETE,
  WriteMode.WRITE_MODE_DELETE_RANGE,
  WriteMode.WRITE_MODE_DISCARD,
]);

/** The Locations that follow a source; those of templates take no records. */
async function followersOf(
  { catalogue }: WriteDeps,
  source: NodeConfig,
  { deadlineMs }: WriteCall,
): Promise<Follower[]> {
  const followers = source.source?.followers ?? [];
  if (followers.length === 0) return [];
  const ids = followers.map(({ locationId }) => locationId);
  const locations = await catalogue.nodesOf(ids, source.ownerId, deadlineMs);
  return locations.flatMap((location) => {
    const from = followers.find(({ locationId }) => locationId === location.nodeId);
    return from && isSeries(location) && location.series.writable ? [{ location, from }] : [];
  });
}

/** Raises the dataAlarm of the source (docs/reference/alarms.md#conditions). */
const faultEntry = (source: NodeConfig, { location, bad }: Positions, facts: WriteFacts): LogEntry => {
  const fault = `${countOf(bad, 'record has', 'records have')} no valid coordinates for '${location.name}'`;
  return acquisitionEntry(source, { isSource: true, rows: 0, parameters: 0, origin: '', fault }, facts);
};

const idsOf = (nodes: readonly (NodeConfig | undefined)[]): string[] => nodes.flatMap((node) => node?.nodeId ?? []);

/** The parameter that a column certainly means, or undefined when nodes must find, adopt or make it. */
async function match(
  deps: WriteDeps,
  index: SourceIndex,
  column: HeaderColumn,
  source: NodeConfig,
  followers: readonly Follower[],
): Promise<NodeConfig | undefined> {
  const key = keyOf(column);
  if (column.id) {
    const byId = index.byReference(column.id);
    if (byId) return byId;
    const elsewhere = await deps.catalogue.findKnown(column.id, source.ownerId);
    if (elsewhere?.series && elsewhere.parentId !== source.nodeId)
      throw badBody(`header.columns.${column.index}.id`, 'is no parameter of this data source');
    // An unknown id alone is settled by nodes, which may know a parameter that is new here.
    if (!key) return undefined;
  }
  // As nodes would answer: the Location is in no source's index.
  const isPosition = column.dataTypeGiven && column.dataType === 'COORDINATES';
  return index.bySeries(key) ?? (isPosition ? followers[0]?.location : undefined);
}

function targetOf(column: HeaderColumn, found: NodeConfig | undefined, index: SourceIndex): ColumnTarget {
  const node = found ?? index.adopting(keyOf(column));
  if (!node || !isSeries(node))
    return { index: column.index, valueType: TYPE_OF[column.dataType], qualityOf: undefined };
  writableSeries(node);
  return { index: column.index, valueType: node.series.valueType, qualityOf: qualityOfStates(node) };
}

/** @throws DomainError invalid_argument for a parameter that is of another type than the values (rule 5) */
async function complete(
  deps: WriteDeps,
  { document, source, requester, call }: DocumentWrite,
  found: readonly (NodeConfig | undefined)[],
  targets: readonly ColumnTarget[],
): Promise<NodeConfig[]> {
  const missing = document.columns.filter((_, n) => !found[n]);
  if (missing.length === 0) return found.filter((node) => node !== undefined);
  const made = await deps.catalogue.ensure(source, missing.map(toProto), requester, call.deadlineMs);
  const byIndex = new Map(missing.map((column, n) => [column.index, made[n]]));
  return document.columns.map((column, n) => {
    const node = found[n] ?? byIndex.get(column.index);
    if (!node?.series) throw invalid('PARAMETER_MISSING', `header.columns.${column.index}: has no parameter`);
    if (node.series.valueType !== targets[n]?.valueType)
      throw badBody(`header.columns.${column.index}`, `values are of another type than parameter '${node.name}'`);
    return node;
  });
}

const toProto = (column: HeaderColumn): EnsureParametersRequest_Column => ({
  index: column.index,
  id: column.id,
  series: column.series,
  name: column.name,
  dataType: column.dataTypeGiven ? column.dataType : '',
  units: column.units,
});
