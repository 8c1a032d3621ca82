import { WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG } from '@catchment/ingest-log';
import { editOf } from './edit.ts';

function column(flags: readonly number[], writeMode: WriteMode = WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING): Column {
  const n = flags.length;
  return {
    nodeId: 'n',
    ownerId: 'o',
    workspaceId: 'w',
    sourceId: 's',
    valueType: ValueType.VALUE_TYPE_NUMBER,
    writeMode,
    notifyOn: 1,
    modifiedMs: 0,
    username: 'jo@example.org',
    timestamps: Float64Array.from({ length: n }, (_, at) => at),
    flags: Uint8Array.from(flags),
    numbers: new Float64Array(n),
    texts: [],
    qualities: new Uint16Array(n),
    annotations: new Map(),
    traceparent: '',
  };
}
const some = (records: number, values = 0, qualities = 0, annotations = 0) => ({
  records,
  values,
  qualities,
  annotations,
});
const { value, quality, annotation, valueNull, qualityNull, annotationNull, deleteMarker } = FLAG;

test.each([
  ['a record that is new', [value | quality], [0], some(1, 1, 1), some(0), 0],
  ['a part sent as null of a record that is new is none', [value | annotationNull], [0], some(1, 1), some(0), 0],
  ['a record that was there', [quality | annotation], [1], some(0), some(1, 0, 1, 1), 0],
  ['a part that is cleared', [qualityNull], [3], some(0), some(1, 0, 1), 0],
  ['the last part that is cleared', [valueNull], [1], some(0), some(0), 1],
  ['a delete marker', [deleteMarker, deleteMarker], [1, 0], some(0), some(0), 1],
  ['nulls where nothing is', [valueNull], [0], some(0), some(0), 0],
  ['several', [value, value, value], [0, 1, 0], some(2, 2), some(1, 1), 0],
])('%s', (_what, flags, presence, inserted, modified, deleted) => {
  expect(editOf(column(flags), Uint8Array.from(presence))).toEqual({ inserted, modified, deleted });
});

test('DELETE: the records that were there', () => {
  const edit = editOf(column([value, value, value], WriteMode.WRITE_MODE_DELETE), Uint8Array.of(1, 0, 5));
  expect(edit).toEqual({ inserted: some(0), modified: some(0), deleted: 2 });
});
