import {
  EMPTY_HISTORY,
  editedRecords,
  extendHistory,
  type History,
  historyOf,
  needsStore,
  newestMs,
  UNKNOWN_HISTORY,
} from './history.ts';

const at = (...times: number[]) => times.map((timeMs) => ({ timeMs, value: timeMs }));
const times = (history: History) => history.records.map((record) => record.timeMs);
const keep = () => false;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

const edit = (history: History, set: number[], removes: (timeMs: number) => boolean = keep): History =>
  historyOf(editedRecords(history, { set: at(...set), codes: [], removes }), history.knownSinceMs);

test('the newest 15 are kept, and what is older is no longer known', () => {
  const history = edit(EMPTY_HISTORY, range(1, 20));
  expect(times(history)).toEqual(range(6, 20));
  expect(history.knownSinceMs).toBe(6);
});

test('late records take their place while all are known, and are left to the store otherwise', () => {
  expect(times(edit(edit(EMPTY_HISTORY, [10, 20]), [5, 15]))).toEqual([5, 10, 15, 20]);
  expect(times(edit(edit(EMPTY_HISTORY, range(11, 30)), [5, 14]))).toEqual(range(16, 30));
});

test('a removal shortens, and the store is needed only if it may have more', () => {
  const all = edit(EMPTY_HISTORY, [1, 2, 3]);
  const few = edit(all, [], (timeMs) => timeMs === 3);
  expect([newestMs(few), needsStore(few, 15)]).toEqual([2, false]);
  const cut = edit(edit(EMPTY_HISTORY, range(1, 20)), [], (timeMs) => timeMs > 8);
  expect([times(cut), needsStore(cut, 4), needsStore(cut, 3)]).toEqual([[6, 7, 8], true, false]);
});

test('an edit that changes nothing keeps the same records', () => {
  const history = edit(EMPTY_HISTORY, [1]);
  expect(editedRecords(history, { set: [], codes: [], removes: (timeMs) => timeMs === 7 })).toBe(history.records);
});

test.each([
  ['of an unknown series: all', UNKNOWN_HISTORY, [5, 4, 3], [3, 4, 5], Number.NEGATIVE_INFINITY],
  [
    'of a shortened one: only what is before the known time',
    historyOf(at(8), 6),
    [9, 8, 7, 6, 5, 4],
    [4, 5, 8],
    Number.NEGATIVE_INFINITY,
  ],
  ['a store without records', UNKNOWN_HISTORY, [], [], Number.NEGATIVE_INFINITY],
] as [string, History, number[], number[], number][])(
  'the store completes: %s',
  (_what, history, stored, expected, knownSinceMs) => {
    const extended = extendHistory(history, at(...stored), { asked: 15 });
    expect([times(extended), extended.knownSinceMs]).toEqual([expected, knownSinceMs]);
  },
);

test('as many records as were asked for may not be all', () => {
  const extended = extendHistory(UNKNOWN_HISTORY, at(...range(1, 15)), { asked: 15 });
  expect([extended.records.length, extended.knownSinceMs]).toEqual([15, 1]);
});

test('a store that has gone on by more records than were asked for takes nothing from the write', () => {
  const extended = extendHistory(historyOf([], 10), at(...range(20, 34)), { asked: 15 });
  expect([times(extended), extended.knownSinceMs]).toEqual([[], 10]);
  expect(times(edit(extended, [10, 11, 12]))).toEqual([10, 11, 12]);
});
