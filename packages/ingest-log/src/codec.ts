import { encoded } from '@catchment/contracts/encoded';
import { type ColumnWrite, IngestBatch, type IngestBatch_Entry } from '@catchment/contracts/ingest';
import { bytesOf, floatsOf, uint16sOf } from '@catchment/contracts/packed-numbers';
import { DomainError } from '@catchment/errors';
import { type Column, type LogEntry, sliceColumn } from './column.ts';
import { isRemoval } from './overwrite.ts';

const NO_SUM = new Uint8Array(0);
/** The column is no part of one. */
const WHOLE = { columnKey: '', part: 0, parts: 0 } as const;

/** This code writes and reads this layout. */
const LAYOUT_VERSION = 1;

/** Tags, lengths and ids of one entry take at most this, bytes. */
const ENTRY_OVERHEAD = 400;

/**
 * Entries as messages no larger than `maxBytes`, in order. Columns that share a timestamp vector share it in the message
 * too; a column that is too large for one message goes as parts, `columnKey` says which belong together. The removal of a range and the column
 * that follows for its series are one change: they go in one message, the removal before the last part.
 */
export function encodeEntries(
  entries: readonly LogEntry[],
  maxBytes: number,
  newColumnKey: () => string,
): Uint8Array[] {
  const messages: Uint8Array[] = [];
  let batch = new BatchBuilder();
  for (const together of unitsOf(entries, maxBytes, newColumnKey)) {
    if (!batch.isEmpty && batch.sizeWith(together) > maxBytes) {
      messages.push(batch.encode());
      batch = new BatchBuilder();
    }
    batch.add(together);
  }
  if (!batch.isEmpty) messages.push(batch.encode());
  return messages;
}

/** Entries and parts, each with what has to be in its message. */
function unitsOf(entries: readonly LogEntry[], maxBytes: number, newColumnKey: () => string): LogEntry[][] {
  const units: LogEntry[][] = [];
  let removal: LogEntry[] = [];
  for (const [n, entry] of entries.entries()) {
    if (isFilled(entry, entries[n + 1])) {
      removal = [entry];
      continue;
    }
    const parts = split(entry, maxBytes - removal.length * 2 * ENTRY_OVERHEAD, newColumnKey);
    units.push(...parts.slice(0, -1).map((part) => [part]), [...removal, ...parts.slice(-1)]);
    removal = [];
  }
  return units;
}

/** Returns whether a column removes a range, and the next one puts records of its series. */
function isFilled(entry: LogEntry, next: LogEntry | undefined): boolean {
  if (entry.kind !== 'column' || next?.kind !== 'column' || entry.column.nodeId !== next.column.nodeId) return false;
  return isRemoval(entry.column) && !isRemoval(next.column);
}

/** A message that changes nothing. */
export const emptyMessage = (): Uint8Array => new BatchBuilder().encode();

/** @throws DomainError invalid_argument for bytes that are no batch: they will never become one */
function readBatch(data: Uint8Array): IngestBatch {
  try {
    return IngestBatch.decode(data);
  } catch (error) {
    throw new DomainError('invalid_argument', 'BATCH_UNREADABLE', 'batch: of the ingest log is unreadable', {
      cause: error,
    });
  }
}

/** @throws DomainError invalid_argument for a layout that this version does not know */
export function decodeBatch(data: Uint8Array): LogEntry[] {
  const batch = readBatch(data);
  if (batch.version !== LAYOUT_VERSION) {
    throw new DomainError(
      'invalid_argument',
      'LAYOUT_UNKNOWN',
      `version: ${batch.version} of the ingest log is not known`,
    );
  }
  const vectors = batch.timestamps.map(floatsOf);
  return batch.entries.flatMap(({ entry }): LogEntry[] => {
    switch (entry?.$case) {
      case 'column':
        return [decodeColumn(entry.value, vectors[entry.value.timestampsIndex] ?? new Float64Array(0))];
      case 'seriesDelete':
        return [{ kind: 'seriesDelete', seriesDelete: entry.value }];
      case 'nodesDelete':
        return [{ kind: 'nodesDelete', nodesDelete: entry.value }];
      case 'acquisition':
        return [{ kind: 'acquisition', acquisition: entry.value }];
      default:
        throw new DomainError('invalid_argument', 'ENTRY_UNKNOWN', 'entry: of an unknown kind');
    }
  });
}

class BatchBuilder {
  readonly #vectors = new Map<Float64Array, number>();
  readonly #entries: IngestBatch_Entry[] = [];
  #bytes = ENTRY_OVERHEAD;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  sizeWith(entries: readonly LogEntry[]): number {
    return entries.reduce((bytes, entry) => {
      const column = columnOf(entry);
      const vectorBytes = column && !this.#vectors.has(column.timestamps) ? column.timestamps.byteLength : 0;
      return bytes + vectorBytes + bodyBytes(entry);
    }, this.#bytes);
  }

  add(entries: readonly LogEntry[]): void {
    this.#bytes = this.sizeWith(entries);
    for (const entry of entries) this.#entries.push({ entry: this.#toProto(entry) });
  }

  encode(): Uint8Array {
    const timestamps = [...this.#vectors.keys()].map(bytesOf);
    return encoded(IngestBatch, { version: LAYOUT_VERSION, timestamps, entries: this.#entries });
  }

  #toProto(entry: LogEntry): IngestBatch_Entry['entry'] {
    switch (entry.kind) {
      case 'column':
        return { $case: 'column', value: this.#columnToProto(entry.column) };
      case 'columnPart': {
        const { column, columnKey, part, parts } = entry.part;
        return { $case: 'column', value: { ...this.#columnToProto(column), columnKey, part, parts } };
      }
      case 'seriesDelete':
        return { $case: 'seriesDelete', value: entry.seriesDelete };
      case 'nodesDelete':
        return { $case: 'nodesDelete', value: entry.nodesDelete };
      case 'acquisition':
        return { $case: 'acquisition', value: entry.acquisition };
    }
  }

  #columnToProto(column: Column): ColumnWrite {
    const timestampsIndex = this.#vectors.get(column.timestamps) ?? this.#vectors.size;
    this.#vectors.set(column.timestamps, timestampsIndex);
    return {
      nodeId: column.nodeId,
      ownerId: column.ownerId,
      workspaceId: column.workspaceId,
      sourceId: column.sourceId,
      valueType: column.valueType,
      writeMode: column.writeMode,
      notifyOn: column.notifyOn,
      modifiedMs: column.modifiedMs,
      username: column.username,
      timestampsIndex,
      flags: bytesOf(column.flags),
      numbers: bytesOf(column.numbers),
      texts: [...column.texts],
      qualities: bytesOf(column.qualities),
      annotationIndexes: [...column.annotations.keys()],
      annotations: [...column.annotations.values()],
      traceparent: column.traceparent,
      isEdit: column.isEdit === true,
      expected: bytesOf(column.expected ?? NO_SUM),
      ...WHOLE,
    };
  }
}

function decodeColumn(message: ColumnWrite, timestamps: Float64Array): LogEntry {
  const column: Column = {
    nodeId: message.nodeId,
    ownerId: message.ownerId,
    workspaceId: message.workspaceId,
    sourceId: message.sourceId,
    valueType: message.valueType,
    writeMode: message.writeMode,
    notifyOn: message.notifyOn,
    modifiedMs: message.modifiedMs,
    username: message.username,
    timestamps,
    flags: message.flags,
    numbers: floatsOf(message.numbers),
    texts: message.texts,
    qualities: uint16sOf(message.qualities),
    annotations: new Map(message.annotationIndexes.map((index, n) => [index, message.annotations[n] ?? ''])),
    traceparent: message.traceparent,
    ...(message.isEdit && { isEdit: true }),
    ...(message.expected.length > 0 && { expected: Uint8Array.from(message.expected) }),
  };
  if (message.parts <= 1) return { kind: 'column', column };
  return {
    kind: 'columnPart',
    part: { column, columnKey: message.columnKey, part: message.part, parts: message.parts },
  };
}

/** Returns a column over the limit as parts; everything else as it is. */
function split(entry: LogEntry, maxBytes: number, newColumnKey: () => string): LogEntry[] {
  if (entry.kind !== 'column') return [entry];
  const { column } = entry;
  const room = maxBytes - 2 * ENTRY_OVERHEAD;
  if (bodyBytes(entry) + column.timestamps.byteLength <= room) return [entry];
  const cuts = [0];
  let bytes = 0;
  for (let index = 0; index < column.timestamps.length; index += 1) {
    const size = recordBytes(column, index);
    if (bytes + size > room && bytes > 0) {
      cuts.push(index);
      bytes = 0;
    }
    bytes += size;
  }
  const columnKey = newColumnKey();
  return cuts.map((from, part) => ({
    kind: 'columnPart',
    part: {
      column: sliceColumn(column, from, cuts[part + 1] ?? column.timestamps.length),
      columnKey,
      part,
      parts: cuts.length,
    },
  }));
}

function columnOf(entry: LogEntry): Column | undefined {
  if (entry.kind === 'column') return entry.column;
  return entry.kind === 'columnPart' ? entry.part.column : undefined;
}

/** Returns an upper bound of an entry's own bytes, its timestamps apart. */
function bodyBytes(entry: LogEntry): number {
  const column = columnOf(entry);
  if (!column) return ENTRY_OVERHEAD + (entry.kind === 'nodesDelete' ? entry.nodesDelete.nodeIds.length * 26 : 0);
  let bytes = ENTRY_OVERHEAD + column.flags.byteLength + column.numbers.byteLength + column.qualities.byteLength;
  for (const text of column.texts) bytes += textBytes(text);
  for (const text of column.annotations.values()) bytes += textBytes(text) + 5;
  return bytes;
}

function recordBytes(column: Column, index: number): number {
  const text = column.texts[index];
  const annotation = column.annotations.get(index);
  return (
    8 +
    16 +
    2 +
    1 +
    (text === undefined ? 0 : textBytes(text)) +
    (annotation === undefined ? 0 : textBytes(annotation) + 5)
  );
}

/** UTF-8 takes at most three bytes per UTF-16 unit; the exact length is taken where that matters. */
const textBytes = (text: string): number => 5 + (text.length < 64 ? text.length * 3 : Buffer.byteLength(text));
