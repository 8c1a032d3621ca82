import { clampToStore, isStorable, MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/domain/store-range.ts';
import { planRange } from './read-range.ts';

const [A, B] = [1_000, 2_000];
const OPEN = { startMs: undefined, endMs: undefined, limit: undefined };

/** See docs/reference/reading.md#range-and-limit. */
test.each([
  ['start and end', { startMs: A, endMs: B }, { fromMs: A, toMs: B, order: 'ascending', limit: undefined }],
  ['one instant', { startMs: A, endMs: A }, { fromMs: A, toMs: A, order: 'ascending', limit: undefined }],
  [
    'start, end and limit: the first',
    { startMs: A, endMs: B, limit: 5 },
    { fromMs: A, toMs: B, order: 'ascending', limit: 5 },
  ],
  [
    'start and limit: the first',
    { startMs: A, limit: 5 },
    { fromMs: A, toMs: MAX_RECORD_MS, order: 'ascending', limit: 5 },
  ],
  [
    'end and limit: the last',
    { endMs: B, limit: 5 },
    { fromMs: MIN_RECORD_MS, toMs: B, order: 'descending', limit: 5 },
  ],
  ['limit only: the last', { limit: 5 }, { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS, order: 'descending', limit: 5 }],
])('%s', (_what, given, plan) => {
  expect(planRange({ ...OPEN, ...given })).toEqual(plan);
});

test.each([
  ['nothing', {}, 'startTime: must be given when there is no limit'],
  ['only start', { startMs: A }, 'endTime: must be given when there is no limit'],
  ['only end', { endMs: A }, 'startTime: must be given when there is no limit'],
  ['start after end', { startMs: B, endMs: A }, 'startTime: must not be after endTime'],
  ['start after end with a limit', { startMs: B, endMs: A, limit: 1 }, 'startTime: must not be after endTime'],
])('%s is refused', (_what, given, message) => {
  expect(() => planRange({ ...OPEN, ...given })).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message }),
  );
});

test('a range beyond what can be stored is empty, not wrong', () => {
  const { fromMs, toMs } = planRange({ startMs: Date.UTC(5000, 0), endMs: Date.UTC(6000, 0), limit: undefined });
  expect(fromMs).toBeGreaterThan(toMs);
  expect(clampToStore(Date.UTC(9998, 0))).toBe(MAX_RECORD_MS);
  expect([isStorable(MIN_RECORD_MS), isStorable(MIN_RECORD_MS - 1), isStorable(MAX_RECORD_MS + 1)]).toEqual([
    true,
    false,
    false,
  ]);
});
