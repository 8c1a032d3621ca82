import { isNearLimit, storableRows, trustMs } from './row-limit.ts';

const LIMIT = 100;

test.each([
  ['far below the limit for a minute', { acquired: 19, stored: 0 }, 60_000],
  ['below its half for ten seconds', { acquired: 0, stored: 49 }, 10_000],
  ['below four fifths for a second', { acquired: 79, stored: 3 }, 1_000],
  ['not at all from there on', { acquired: 2, stored: 80 }, undefined],
])('counts of other replicas are trusted %s', (_when, counts, ms) => {
  expect(trustMs(counts, LIMIT)).toBe(ms);
});

test.each([
  ['far from it', 10, 5, false],
  ['at four fifths of it', 76, 4, false],
  ['above four fifths of it', 77, 4, true],
  ['with more than a twentieth counted by one replica', 0, 6, true],
])('a limit is near: %s', (_what, known, alone, isNear) => {
  expect(isNearLimit(known, alone, LIMIT)).toBe(isNear);
});

test.each([
  ['all of them below the limit', [1, 2, 3], undefined, 10, [1, 2, 3], []],
  ['the first ones up to the limit', [1, 2, 3], undefined, 98, [1, 2], [3]],
  ['none at the limit', [1, 2], new Set<number>(), 100, [], [1, 2]],
  ['none above it', [1, 2], undefined, 105, [], [1, 2]],
  ['rows that replace others take no room', [1, 2, 3, 4], new Set([2, 3]), 99, [1], [4]],
])('new rows of a day are stored: %s', (_what, rows, existing, stored, added, refused) => {
  const found = storableRows(Float64Array.from(rows), existing, stored, LIMIT);
  expect([[...found.added], [...found.refused]]).toEqual([added, refused]);
});
