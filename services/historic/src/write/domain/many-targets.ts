import { invalid, tooLarge } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import { parseColumnParams } from '@catchment/query';
import type { BuiltColumn } from '../../records/index.ts';
import { badBody } from '../../series/index.ts';
import { columnIndexOf, type JtsDocument, type JtsRows } from './jts-document.ts';
import { type ColumnTarget, parseRecords } from './jts-records.ts';

/** One column of a document goes to this node, by the reference that the request has sent. */
export type NamedTarget = { readonly nodeRef: string; readonly index: number };

/** One request may hand this many records to the log: one column may go to many nodes. */
const MAX_RECORDS = 500_000;

/**
 * Returns the targets that `params` names, or undefined without any (docs/reference/query-arguments.md#params,
 * docs/reference/writing.md#columns-of-a-write).
 * @param columnIndex default for entries without one
 * @throws DomainError invalid_argument naming `params`
 */
export function targetsOfParams(params: string, columnIndex: number | undefined): NamedTarget[] | undefined {
  if (params.trim() === '') return undefined;
  return parseColumnParams(params, ['columnIndex']).flatMap((entry) => {
    const given = entry.values.columnIndex ?? '';
    const index = given === '' ? columnIndex : columnIndexOf(given);
    if (index === undefined)
      throw invalid('INVALID_PARAMS', 'params: columnIndex of each entry must be a whole number from 0');
    // A column without a node is not stored.
    return entry.node === undefined ? [] : [{ nodeRef: entry.reference, index }];
  });
}

/** Finds the nodes that the columns of the header name, for a write without `params`. @throws DomainError invalid_argument */
export function targetsOfHeader({ columns }: JtsDocument): NamedTarget[] {
  if (columns.length === 0) throw badBody('header.columns', 'must name the node of each column by its id');
  return columns.map(({ id, index }) => {
    if (!parseNodeRef(id)) throw badBody(`header.columns.${index}.id`, 'must be the id or @customId of a node');
    return { nodeRef: id, index };
  });
}

/**
 * Reads the records of each target, in order, in steps; several may have one column. Each column is read once per kind of target.
 * @throws DomainError invalid_argument; too_large
 */
export function* parseManyRecords(
  rows: JtsRows,
  targets: readonly ColumnTarget[],
): Generator<void, readonly BuiltColumn[]> {
  const columns = new Map<ColumnTarget, BuiltColumn>();
  for (const layer of layersOf(targets)) {
    const parsed = yield* parseRecords(rows, [...layer.keys()], 'ignored');
    for (const [n, same] of [...layer.values()].entries()) {
      const built = parsed.columns[n];
      if (built) for (const target of same) columns.set(target, built);
    }
  }
  const found = targets.flatMap((target) => columns.get(target) ?? []);
  if (found.reduce((sum, { timestamps }) => sum + timestamps.length, 0) > MAX_RECORDS)
    throw tooLarge(`data: must have at most ${MAX_RECORDS} records over all nodes`);
  return found;
}

/** Puts targets with one column index into separate layers, except those that read it alike. */
function layersOf(targets: readonly ColumnTarget[]): Map<ColumnTarget, ColumnTarget[]>[] {
  const layers: Map<ColumnTarget, ColumnTarget[]>[] = [];
  for (const target of targets) {
    const alike = layers
      .flatMap((layer) => [...layer])
      .find(
        ([first]) =>
          first.index === target.index && first.valueType === target.valueType && first.qualityOf === target.qualityOf,
      );
    if (alike) {
      alike[1].push(target);
      continue;
    }
    const free = layers.find((layer) => ![...layer.keys()].some(({ index }) => index === target.index));
    if (free) free.set(target, [target]);
    else layers.push(new Map([[target, [target]]]));
  }
  return layers;
}
