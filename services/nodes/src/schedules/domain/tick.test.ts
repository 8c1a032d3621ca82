import { type ScheduledReport, tickOf } from './tick.ts';

const utc = (text: string) => Date.parse(text);
const DUE = utc('2024-05-15T06:00:00Z');
const NEXT = utc('2024-05-16T06:00:00Z');
const MINUTE = 60_000;
const REPORT: ScheduledReport = {
  schedule: { enabled: true, type: 'DAILY', days: [], time: '06:00' },
  timezone: 'Etc/UTC',
  timezoneAdjustForDst: true,
  isInTemplate: false,
  isDisabled: false,
  dueMs: DUE,
  lastMs: null,
  isStale: false,
};
const tick = (lateMs: number, change: Partial<ScheduledReport> = {}) => tickOf({ ...REPORT, ...change }, DUE + lateMs);
const NEVER = { runMs: null, missedMs: null, dueMs: null };

test.each([
  ['in time', 0, { runMs: DUE, missedMs: null, dueMs: NEXT }],
  ['59 minutes late', 59 * MINUTE, { runMs: DUE, missedMs: null, dueMs: NEXT }],
  ['a millisecond less than an hour late', 60 * MINUTE - 1, { runMs: DUE, missedMs: null, dueMs: NEXT }],
  ['an hour late', 60 * MINUTE, { runMs: null, missedMs: DUE, dueMs: NEXT }],
  ['61 minutes late', 61 * MINUTE, { runMs: null, missedMs: DUE, dueMs: NEXT }],
  [
    'a day late: the one of today counts',
    24 * 60 * MINUTE,
    { runMs: NEXT, missedMs: null, dueMs: NEXT + 24 * 60 * MINUTE },
  ],
  [
    'a week and two hours late',
    (7 * 24 + 2) * 60 * MINUTE,
    { runMs: null, missedMs: DUE, dueMs: DUE + 8 * 24 * 60 * MINUTE },
  ],
  ['too early', -1, { runMs: null, missedMs: null, dueMs: DUE }],
])('a report %s', (_what, lateMs, expected) => expect(tick(lateMs)).toEqual(expected));

test.each([
  ['no schedule', { schedule: null }],
  ['a schedule that is switched off', { schedule: { ...REPORT.schedule!, enabled: false } }],
  ['a place in a template', { isInTemplate: true }],
])('with %s a report is never due', (_what, change) => expect(tick(0, change)).toEqual(NEVER));

test('a disabled account has its due times pass, and nothing is said of it', () => {
  expect(tick(0, { isDisabled: true })).toEqual({ ...NEVER, dueMs: NEXT });
  expect(tick(61 * MINUTE, { isDisabled: true })).toEqual({ ...NEVER, dueMs: NEXT });
});

describe('a schedule that is set', () => {
  const set = { isStale: true, dueMs: null };
  test('before its time waits for it', () => expect(tick(-MINUTE, set)).toEqual({ ...NEVER, dueMs: DUE }));
  test('in its minute is due at once', () => expect(tick(59_999, set)).toEqual({ ...NEVER, runMs: DUE, dueMs: NEXT }));
  test('after its minute waits for the next day', () => expect(tick(MINUTE, set)).toEqual({ ...NEVER, dueMs: NEXT }));
  test('again on a day that has had one waits for the next', () =>
    expect(tick(0, { ...set, lastMs: DUE - 60 * MINUTE })).toEqual({ ...NEVER, dueMs: NEXT }));
  test('instead of one that was missed says nothing of that', () =>
    expect(tick(61 * MINUTE, { isStale: true })).toEqual({ ...NEVER, dueMs: NEXT }));
});
