import { createHash } from 'node:crypto';
import type { RecordSet } from '../../records/index.ts';
import { bad, MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/index.ts';

/** A MODIFIED read with a limit has places in its order: when a record was last written, then its own time; Unix ms. */
export type Place = { readonly modifiedMs: number; readonly timeMs: number };

export const compare = (a: Place, b: Place): number => a.modifiedMs - b.modifiedMs || a.timeMs - b.timeMs;

/** A column has records by their own time, and, by their index, when each was last written. */
export type ModifiedColumn = { readonly records: RecordSet; readonly modified: readonly number[] };

/** Each column has the indexes of its records on a page, ascending. */
type Page = {
  readonly indexes: readonly (readonly number[])[];
  /** The last record on the page has this place; undefined: the page is empty. */
  readonly last: Place | undefined;
  /** More records follow the page. */
  readonly hasMore: boolean;
};

/**
 * Returns the records that were written first, as many as fit into `limit` rows: a row counts once over all columns
 * (docs/reference/reading.md#changes-page-by-page). Each record is on one page, so a row of which a column was written later may come again
 * with that column alone.
 * @param settledMs nothing that was written later is on it: something else of that time may still be stored
 */
export function firstWritten(columns: readonly ModifiedColumn[], limit: number, settledMs: number): Page {
  const cells = columns
    .flatMap(({ records, modified }, column) =>
      modified.map((modifiedMs, index) => ({ modifiedMs, timeMs: records.times[index] ?? 0, column, index })),
    )
    .sort(compare);
  const rows = new Set<number>();
  const indexes = columns.map((): number[] => []);
  let last: Place | undefined;
  for (const cell of cells) {
    const isFull = !rows.has(cell.timeMs) && rows.size === limit;
    if (isFull || cell.modifiedMs > settledMs) return { indexes: indexes.map(ascending), last, hasMore: true };
    rows.add(cell.timeMs);
    indexes[cell.column]?.push(cell.index);
    last = cell;
  }
  return { indexes: indexes.map(ascending), last, hasMore: false };
}

const ascending = (numbers: number[]): number[] => numbers.sort((a, b) => a - b);

/** An answer has this place, for a read of the same nodes. */
export type NamedPlace = { readonly place: Place; readonly nodesDigest: string };

const FORM = /^1;(\d{1,16});(-?\d{1,16});([0-9a-f]{12})$/;
const RULE = 'must be header.next of an answer to the same request; leave it out to begin again';

/** @param nodeIds of the columns */
export const nextText = (place: Place, nodeIds: readonly string[]): string =>
  textOf({ place, nodesDigest: digestOf(nodeIds) });

const textOf = ({ place: { modifiedMs, timeMs }, nodesDigest }: NamedPlace): string =>
  Buffer.from(`1;${modifiedMs};${timeMs};${nodesDigest}`).toString('base64url');

/** @throws DomainError invalid_argument for a text that no answer has given */
export function readPlace(text: string): NamedPlace {
  const [, modified, time, nodesDigest = ''] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const place = { modifiedMs: Number(modified), timeMs: Number(time) };
  const isStorable =
    place.modifiedMs <= MAX_RECORD_MS && place.timeMs >= MIN_RECORD_MS - 1 && place.timeMs <= MAX_RECORD_MS;
  if (!isStorable || textOf({ place, nodesDigest }) !== text) throw bad('after', RULE);
  return { place, nodesDigest };
}

/** @throws DomainError invalid_argument for a place in a read of other nodes */
export function placeIn({ place, nodesDigest }: NamedPlace, nodeIds: readonly string[]): Place {
  if (nodesDigest !== digestOf(nodeIds)) throw bad('after', RULE);
  return place;
}

const digestOf = (nodeIds: readonly string[]): string =>
  createHash('sha256').update(nodeIds.join()).digest('hex').slice(0, 12);
