import { IngestBatch, NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import {
  type Column,
  type ColumnPart,
  decodeBatch,
  encodeEntries,
  FLAG,
  flagsAt,
  joinColumns,
  type LogEntry,
} from './index.ts';

const MIB = 1024 * 1024;
let keys = 0;
const newKey = () => {
  keys += 1;
  return `key-${keys}`;
};

function column(overrides: Partial<Column> = {}): Column {
  return {
    nodeId: 'a'.repeat(24),
    ownerId: 'b'.repeat(24),
    workspaceId: 'c'.repeat(24),
    sourceId: 'd'.repeat(24),
    valueType: ValueType.VALUE_TYPE_NUMBER,
    writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
    notifyOn: NotifyOn.NOTIFY_ON_LATEST_ONLY,
    modifiedMs: 1_700_000_000_123,
    username: 'jo@example.org',
    timestamps: Float64Array.of(-5_000_000_000_000, 0, 1_700_000_000_000),
    flags: Uint8Array.of(FLAG.value),
    numbers: Float64Array.of(1.5, Number.NaN, -0.1),
    texts: [],
    qualities: new Uint16Array(0),
    annotations: new Map(),
    traceparent: '',
    ...overrides,
  };
}

const roundTrip = (entries: LogEntry[], maxBytes = MIB): LogEntry[] =>
  encodeEntries(entries, maxBytes, newKey).flatMap((message) => decodeBatch(message));

test.each<[string, LogEntry]>([
  ['numbers with a gap', { kind: 'column', column: column() }],
  [
    'qualities, annotations and flags per record',
    {
      kind: 'column',
      column: column({
        flags: Uint8Array.of(FLAG.value, FLAG.valueNull | FLAG.quality, FLAG.deleteMarker),
        qualities: Uint16Array.of(0, 65_535, 0),
        annotations: new Map([[1, 'Wartung µ ✓']]),
      }),
    },
  ],
  [
    'texts',
    {
      kind: 'column',
      column: column({ valueType: ValueType.VALUE_TYPE_TEXT, numbers: new Float64Array(0), texts: ['a', '', '日本'] }),
    },
  ],
  [
    'coordinates',
    {
      kind: 'column',
      column: column({ valueType: ValueType.VALUE_TYPE_COORDINATES, numbers: new Float64Array(6).fill(47.1) }),
    },
  ],
  [
    'a column without records',
    { kind: 'column', column: column({ timestamps: new Float64Array(0), numbers: new Float64Array(0) }) },
  ],
])('%s come back as they were', (_what, entry) => {
  expect(roundTrip([entry])).toEqual([normalise(entry)]);
});

function normalise(entry: LogEntry): LogEntry {
  if (entry.kind !== 'column') return entry;
  return { kind: 'column', column: { ...entry.column, flags: Buffer.from(entry.column.flags) } };
}

test('columns that share a timestamp vector carry it once', () => {
  const timestamps = Float64Array.from({ length: 1_000 }, (_, n) => n);
  const shared = Array.from({ length: 10 }, () => ({
    kind: 'column' as const,
    column: column({ timestamps, numbers: new Float64Array(1_000) }),
  }));
  const [message] = encodeEntries(shared, MIB, newKey);
  expect(IngestBatch.decode(message ?? Buffer.alloc(0)).timestamps).toHaveLength(1);
  expect(message?.byteLength).toBeLessThan(11 * 8_000 + 10 * 400);
});

test.each([
  [
    'numbers',
    100_000,
    () =>
      column({
        timestamps: new Float64Array(100_000).map((_, n) => n),
        numbers: new Float64Array(100_000).map((_, n) => n / 7),
      }),
  ],
  [
    'long texts',
    600,
    () =>
      column({
        valueType: ValueType.VALUE_TYPE_TEXT,
        timestamps: new Float64Array(600).map((_, n) => n),
        numbers: new Float64Array(0),
        texts: Array.from({ length: 600 }, (_, n) => 'ü'.repeat(5_000) + n),
        annotations: new Map([[599, 'last']]),
      }),
  ],
])('a column of %s larger than a message is split below the limit and joined without loss', (_what, records, make) => {
  const whole = make();
  const messages = encodeEntries([{ kind: 'column', column: whole }], MIB, newKey);
  expect(messages.length).toBeGreaterThan(1);
  for (const message of messages) expect(message.byteLength).toBeLessThanOrEqual(MIB);
  const parts = messages
    .flatMap((message) => decodeBatch(message))
    .map((entry) => (entry as { part: ColumnPart }).part);
  expect(parts.map(({ part, parts: of, columnKey }) => [part, of, columnKey])).toEqual(
    parts.map((_, n) => [n, parts.length, parts[0]?.columnKey]),
  );
  const joined = joinColumns(parts.map((part) => part.column) as [Column, ...Column[]]);
  expect(joined.timestamps).toHaveLength(records);
  expect([joined.numbers, joined.texts, joined.annotations]).toEqual([whole.numbers, whole.texts, whole.annotations]);
});

test('entries keep their order over message borders', () => {
  const entries = Array.from({ length: 40 }, (_, n) => ({
    kind: 'column' as const,
    column: column({ nodeId: String(n), timestamps: new Float64Array(500), numbers: new Float64Array(500) }),
  }));
  const ids = roundTrip(entries, 50_000).map((entry) => entry.kind === 'column' && entry.column.nodeId);
  expect(ids).toEqual(entries.map((_, n) => String(n)));
});

test('parts without qualities are filled up when another part has some', () => {
  const joined = joinColumns([
    column({ timestamps: Float64Array.of(1), numbers: Float64Array.of(1) }),
    column({
      timestamps: Float64Array.of(2),
      numbers: Float64Array.of(2),
      flags: Uint8Array.of(3),
      qualities: Uint16Array.of(9),
    }),
  ]);
  expect([...joined.qualities]).toEqual([0, 9]);
  expect([flagsAt(joined, 0), flagsAt(joined, 1)]).toEqual([1, 3]);
});

test('a layout of another version is refused', () => {
  const message = IngestBatch.encode({ version: 2, timestamps: [], entries: [] }).finish();
  expect(() => decodeBatch(message)).toThrow('version: 2 of the ingest log is not known');
});

test.each([1, 40, 400, 4_000])(
  'a removal is in one message with the last part of the %i records that fill it, and no message is larger than may be',
  (records) => {
    const limit = 8_000;
    const removal = column({
      writeMode: WriteMode.WRITE_MODE_DELETE_RANGE,
      timestamps: Float64Array.of(0, 9_000),
      flags: Uint8Array.of(FLAG.deleteMarker),
      numbers: new Float64Array(2),
    });
    const filler = column({
      timestamps: Float64Array.from({ length: records }, (_, n) => n),
      numbers: new Float64Array(records),
    });
    const before = column({
      nodeId: 'e'.repeat(24),
      timestamps: Float64Array.from({ length: 250 }, (_, n) => n),
      numbers: new Float64Array(250),
    });
    const entries = [before, removal, filler].map((column): LogEntry => ({ kind: 'column', column }));
    const messages = encodeEntries(entries, limit, newKey);
    expect(messages.filter(({ byteLength }) => byteLength > limit)).toEqual([]);
    const decoded = messages.map((message) => decodeBatch(message));
    const removing = (entry: LogEntry | undefined) =>
      entry?.kind === 'column' && entry.column.writeMode === WriteMode.WRITE_MODE_DELETE_RANGE;
    const message = decoded.find((entries) => entries.some(removing)) ?? [];
    const next = message[message.findIndex(removing) + 1];
    const isLast = next?.kind === 'columnPart' ? next.part.part === next.part.parts - 1 : next?.kind === 'column';
    expect(isLast).toBe(true);
    expect(decoded.flat().filter(removing).length).toBe(1);
    const times = decoded.flat().flatMap((entry) => {
      const found =
        entry.kind === 'column' ? entry.column : entry.kind === 'columnPart' ? entry.part.column : undefined;
      return found?.nodeId === filler.nodeId && !removing(entry) ? [...found.timestamps] : [];
    });
    expect(times).toEqual([...filler.timestamps]);
  },
);
