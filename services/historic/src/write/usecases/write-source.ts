import { WriteMode } from '@catchment/contracts/ingest';
import { type EnsureParametersRequest_Column, type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { invalid } from '@catchment/errors';
import { inSlices } from '@catchment/fair-queue';
import type { Requester } from '@catchment/node-replica';
import { badBody, isSeries, qualityOfStates, type SourceIndex, writableSeries } from '../../series/index.ts';
import type { DataType, HeaderColumn, JtsDocument } from '../domain/jts-document.ts';
import { type ColumnTarget, parseRecords } from '../domain/jts-records.ts';
import { checkSourceColumns, keyOf } from '../domain/map-columns.ts';
import type { Follower } from '../domain/positions.ts';
import { admitWrites } from './admit-writes.ts';
import type { WriteFacts } from './log-entries.ts';
import { checkColumns } from './may-write.ts';
import { followersOf, sourceWrite } from './source-entries.ts';
import type { WriteCall, WriteDeps } from './write-deps.ts';

type DocumentWrite = {
  readonly source: NodeConfig;
  readonly document: JtsDocument;
  readonly facts: WriteFacts;
  readonly origin: string;
  /** Another write has begun the acquisition. */
  readonly continues: boolean;
  /** A session of devices sent it. */
  readonly inSession: boolean;
  /** Messages that were joined into the document; absent: one. */
  readonly deliveries: number | undefined;
  /** A file's last write has the rows of the earlier writes, and the number of parameters that all writes update. */
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
 * Writes to the parameters of a data source (docs/reference/writing.md#data-source-writes). Parameters are made only after
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
  const stored = isDiscarded ? { columns: [], rows: 0 } : { columns, rows };
  const acquisition = { origin, continues, inSession, deliveries, earlierRows, updated };
  return admitWrites(
    deps,
    [sourceWrite({ source, parameters, followers, facts, ...acquisition }, stored)],
    facts,
    call,
  );
}

const idsOf = (nodes: readonly (NodeConfig | undefined)[]): string[] => nodes.flatMap((node) => node?.nodeId ?? []);

/** Returns the parameter that a column certainly means, or undefined when nodes must find, adopt or make it. */
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
  // Nodes would answer the same: the Location is in no source's index.
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
