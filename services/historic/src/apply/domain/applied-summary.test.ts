import { Acquisition, SeriesDelete } from '@catchment/contracts/ingest';
import { FLAG } from '@catchment/ingest-log';
import { column, NODE_ID } from '@catchment/testkit/columns';
import { TYPES } from '../../../test/series.ts';
import { AppliedSummary } from './applied-summary.ts';

const only = (summary: AppliedSummary) => summary.toMessage(3, 7).series[0];
const number = (timestampMs: number, value: number) => ({ timestampMs, value: { $case: 'number', value } });
const deleted = SeriesDelete.fromPartial({ nodeId: NODE_ID });

test('has the two newest and the oldest record that have a value, untransformed', () => {
  const summary = new AppliedSummary();
  const flags = Uint8Array.of(FLAG.quality, FLAG.value, FLAG.value, FLAG.value | FLAG.quality, FLAG.annotation);
  summary.addColumn(column([1, 2, 3, 4, 5], { flags, qualities: Uint16Array.of(158, 0, 0, 100, 0) }));
  expect(summary.toMessage(3, 7)).toMatchObject({ partition: 3, logSequence: 7 });
  expect(only(summary)).toEqual({
    nodeId: NODE_ID,
    ownerId: 'a'.repeat(24),
    workspaceId: 'b'.repeat(24),
    modifiedMs: 1_000,
    newest: [{ ...number(4, 4), quality: 100 }, number(3, 3)],
    oldest: number(2, 2),
    recompute: true,
    touches: [],
  });
});

test.each([
  ['values alone', FLAG.value, false],
  ['a gap', FLAG.quality, true],
  ['a value of null', FLAG.valueNull, true],
  ['a delete marker', FLAG.deleteMarker, true],
])('%s: the store is asked: %s', (_what, flag, recompute) => {
  const summary = new AppliedSummary();
  summary.addColumn(column([1, 2], { flags: Uint8Array.of(FLAG.value, flag) }));
  expect(only(summary)?.recompute).toBe(recompute);
});

test('columns of one series are merged, the later one wins at one time', () => {
  const summary = new AppliedSummary();
  summary.addColumn(column([10, 20]));
  summary.addColumn(
    column([20, 5], { numbers: Float64Array.of(7, 8), timestamps: Float64Array.of(5, 20), modifiedMs: 2_000 }),
  );
  expect(only(summary)).toMatchObject({
    modifiedMs: 2_000,
    newest: [number(20, 8), number(10, 1)],
    oldest: number(5, 7),
    recompute: false,
  });
});

test('values of every type', () => {
  const newestOf = (change: Parameters<typeof column>[1]) => {
    const summary = new AppliedSummary();
    summary.addColumn(column([1], change));
    return only(summary)?.newest[0]?.value;
  };
  expect(newestOf({ valueType: TYPES.TEXT, texts: ['x'] })).toEqual({ $case: 'text', value: 'x' });
  expect(newestOf({ valueType: TYPES.TIME, numbers: Float64Array.of(9) })).toEqual({ $case: 'timeMs', value: 9 });
  expect(newestOf({ valueType: TYPES.COORDINATES, numbers: Float64Array.of(1, 2) })).toEqual({
    $case: 'coordinates',
    value: { latitude: 1, longitude: 2 },
  });
});

test('a delete takes what was written before it; what comes after it is settled by the store', () => {
  const summary = new AppliedSummary();
  summary.addColumn(column([1]));
  summary.addDelete(deleted);
  expect(only(summary)).toMatchObject({ newest: [], oldest: undefined, recompute: true });
  summary.addColumn(column([2]));
  expect(only(summary)).toMatchObject({ newest: [number(2, 1)], recompute: true });
  expect(summary.toMessage(0, 1).seriesDeletes).toEqual([deleted]);
});

test('a deleted node has nothing to report; a column without records neither', () => {
  const summary = new AppliedSummary();
  summary.addColumn(column([]));
  summary.addColumn(column([1]));
  summary.forget([NODE_ID]);
  const acquisition = Acquisition.fromPartial({ nodeId: NODE_ID, rows: 3 });
  summary.addAcquisition(acquisition);
  expect(summary.toMessage(0, 1)).toMatchObject({ series: [], acquisitions: [acquisition] });
});
