import { recordSet, TYPES } from '../../test/series.ts';
import { chosenTimes } from './modified-rows.ts';

/** `[time, moment it was written]` of each record. */
const column = (cells: readonly (readonly [number, number])[]) => ({
  records: recordSet(
    TYPES.NUMBER,
    cells.map(([timeMs]) => ({ timeMs })),
  ),
  modified: cells.map(([, modifiedMs]) => modifiedMs),
});
const COLUMNS = [
  column([
    [1, 90],
    [2, 10],
    [3, 50],
  ]),
  column([
    [2, 95],
    [4, 20],
  ]),
];

test.each([
  [1, false, [2]],
  [2, false, [2, 4]],
  [3, false, [2, 3, 4]],
  [9, false, [1, 2, 3, 4]],
  [1, true, [2]],
  [2, true, [1, 2]],
])('%s rows, from the end: %s', (limit, isFromEnd, expected) => {
  expect([...chosenTimes(COLUMNS, limit, isFromEnd)]).toEqual(expected);
});
