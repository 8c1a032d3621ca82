import { matchNumber } from '@catchment/states/evaluation';
import { zoneOf } from '../../../format/zone.ts';
import { type Action, acted, added, clean } from './actions.ts';
import { ADDED, CHANGED, changesOf, DELETED, documentOf, kindAt, missingOf, partsOf } from './changes.ts';
import { codingOf } from './coding.ts';
import { rebased } from './conflict.ts';
import { followsOf, rulesOf, stateAfter } from './follows.ts';
import { begun, chose, did, redid, undid } from './history.ts';
import { keptOf, packed, restored } from './kept.ts';
import { parsedLines } from './lines.ts';
import { reduced } from './picture.ts';
import { cellAt, NO_QUALITY, type Row, recordsOf, type Work, workOf } from './records.ts';
import { between, countOf, everything, found, inverted, joined, lassoed, nearest, type Rule } from './selections.ts';

const HOUR = 3_600_000;
type Given = readonly [hour: number, value: number | null, quality?: number, note?: string];
const row = ([hour, value, quality = NO_QUALITY, note]: Given): Row => ({ ms: hour * HOUR, value, quality, note });
const base = (...given: readonly Given[]) => recordsOf(given.map(row));
const of = (values: readonly (number | null)[]) => base(...values.map((value, hour) => [hour, value] as const));
const mask = (work: Work, ...hours: readonly number[]) =>
  Uint8Array.from(work.times, (ms) => (hours.includes(ms / HOUR) ? 1 : 0));
const chosen = (all: Uint8Array) => [...all].flatMap((is, i) => (is ? [i] : []));
const valuesOf = (work: Work) => [...work.values].map((value) => (Number.isNaN(value) ? null : value));

describe('selections', () => {
  test.each<[string, (number | null)[], Rule, number[]]>([
    ['above: what is equal is not', [1, 5, 6, null], { kind: 'above', limit: 5 }, [2]],
    ['below: what is equal is not', [1, 5, 6, null], { kind: 'below', limit: 5 }, [0]],
    [
      'rate: faster than so many units an hour, in both directions',
      [1, 4, 3, 3, -1],
      { kind: 'rate', limit: 2 },
      [1, 4],
    ],
    ['rate: over a record without a value the time counts', [1, null, 5], { kind: 'rate', limit: 2 }, []],
    ['spike: beyond both neighbours to one side', [1, 9, 1, -9, 1, 5, 9], { kind: 'spike', limit: 3 }, [1, 3]],
    ['spike: neither end, nor a step', [9, 1, 1, 9], { kind: 'spike', limit: 3 }, []],
    ['gap: both of its ends', [1, null, null, 2, 3], { kind: 'gap', ms: 2 * HOUR }, [0, 3]],
    ['gap: as long as the limit is none', [1, null, 2], { kind: 'gap', ms: 2 * HOUR }, []],
    ['persistence: the whole run', [1, 2, 2, 2, 3], { kind: 'persistence', ms: HOUR }, [1, 2, 3]],
    ['persistence: up to the last record', [1, 2, 2, 2], { kind: 'persistence', ms: HOUR }, [1, 2, 3]],
    ['persistence: as long as the limit is none', [1, 2, 2, 3], { kind: 'persistence', ms: HOUR }, []],
    ['no records', [], { kind: 'spike', limit: 1 }, []],
  ])('a rule finds %s', (_what, values, rule, expected) => {
    expect(chosen(found(workOf(of(values)), rule))).toEqual(expected);
  });

  test('a rule passes over what is deleted', () => {
    const work = workOf(of([1, 9, 1]));
    expect(chosen(found({ ...work, gone: mask(work, 1) }, { kind: 'above', limit: 0 }))).toEqual([0, 2]);
  });

  const corners = (...all: readonly (readonly [number, number])[]) =>
    all.map(([hour, value]) => ({ ms: hour * HOUR, value }));
  test.each([
    ['a box', corners([0.5, 0], [3.5, 0], [3.5, 4], [0.5, 4]), [1, 2, 3]],
    ['the same the other way round', corners([0.5, 4], [3.5, 4], [3.5, 0], [0.5, 0]), [1, 2, 3]],
    ['a triangle', corners([0, 2.5], [5, 2.5], [5, 9]), [2, 3, 4]],
    ['a bow tie: both halves', corners([-0.5, 0], [4.5, 9], [4.5, 0], [-0.5, 9]), [0, 3, 4]],
    ['over a gap: nothing', corners([5.2, 0], [7.8, 0], [7.8, 9], [5.2, 9]), []],
    ['a line is no lasso', corners([0, 3], [4, 3]), []],
    ['nothing', [], []],
  ])('a lasso chooses the records with a value inside: %s', (_what, lasso, expected) => {
    const work = workOf(base([0, 1], [1, 2], [2, 3], [3, 3.5], [4, 4], [5, null], [8, 1]));
    expect(chosen(lassoed(work, lasso))).toEqual(expected);
  });

  test('times from and to are included, and the nearest record has a limit', () => {
    const work = workOf(of([1, 2, 3, 4]));
    expect(chosen(between(work, HOUR, 2 * HOUR))).toEqual([1, 2]);
    expect(chosen(nearest(work, 1.4 * HOUR, HOUR))).toEqual([1]);
    expect(chosen(nearest(work, 9 * HOUR, HOUR))).toEqual([]);
    expect(chosen(nearest({ ...work, gone: mask(work, 1) }, 1.1 * HOUR, HOUR))).toEqual([2]);
  });

  test('found rows replace, are added, are taken away, or are those that stay', () => {
    const [a, b] = [Uint8Array.of(1, 1, 0, 0), Uint8Array.of(0, 1, 1, 0)];
    expect((['replace', 'add', 'remove', 'among'] as const).map((how) => chosen(joined(a, b, how)))).toEqual([
      [1, 2],
      [0, 1, 2],
      [0],
      [1],
    ]);
    const work = workOf(of([1, 2]));
    expect(countOf(everything(work))).toBe(2);
    expect(chosen(inverted({ ...work, gone: mask(work, 0) }, mask(work)))).toEqual([1]);
  });
});

describe('actions', () => {
  test.each<[string, (number | null)[], number[], Action, (number | null)[], number]>([
    ['set also where there was none', [1, null], [0, 1], { kind: 'set', by: 7 }, [7, 7], 0],
    [
      'offset without the noise of binary numbers',
      [1.1, null, 3],
      [0, 1],
      { kind: 'offset', by: 0.2 },
      [1.3, null, 3],
      1,
    ],
    ['scale', [2, 3], [1], { kind: 'scale', by: 0.1 }, [2, 0.3], 0],
    ['scale beyond all numbers leaves the value', [1e300], [0], { kind: 'scale', by: 1e300 }, [1e300], 1],
    ['drift from start to end', [10, 10, 10, 10], [1, 2, 3], { kind: 'drift', start: 0, end: -1 }, [10, 10, 9.5, 9], 0],
    ['drift of one record is that of the end', [10, 10], [1], { kind: 'drift', start: 5, end: 1 }, [10, 11], 0],
    ['interpolate between neighbours', [0, 9, null, 9, 4], [1, 2, 3], { kind: 'interpolate' }, [0, 1, 2, 3, 4], 0],
    ['interpolate over a missing value beside it', [0, null, 9, 6], [2], { kind: 'interpolate' }, [0, null, 4, 6], 0],
    ['interpolate at an end leaves it', [9, 1, 9], [0, 2], { kind: 'interpolate' }, [9, 1, 9], 2],
  ])('%s', (_what, values, hours, action, expected, left) => {
    const loaded = of(values);
    const work = workOf(loaded);
    const outcome = acted(loaded, work, mask(work, ...hours), action);
    expect([valuesOf(outcome.work), outcome.left]).toEqual([expected, left]);
    expect(valuesOf(work)).toEqual(values);
  });

  test('interpolation goes by time, not by place', () => {
    const loaded = base([0, 0], [1, 99], [4, 4]);
    const work = workOf(loaded);
    expect(valuesOf(acted(loaded, work, mask(work, 1), { kind: 'interpolate' }).work)).toEqual([0, 1, 4]);
  });

  test('quality, note and deletion touch nothing else, and are taken back row by row', () => {
    const loaded = base([0, 1, 192], [1, 2, NO_QUALITY, 'ice'], [2, 3]);
    const start = workOf(loaded);
    const all = mask(start, 0, 1);
    const steps: Action[] = [
      { kind: 'quality', code: 100 },
      { kind: 'note', text: ' seen ' },
      { kind: 'set', by: 0 },
    ];
    const work = steps.reduce((now, action) => acted(loaded, now, all, action).work, start);
    expect([0, 1, 2].map((i) => cellAt(work, i))).toEqual([
      { value: 0, quality: 100, note: 'seen' },
      { value: 0, quality: 100, note: 'seen' },
      { value: 3, quality: NO_QUALITY, note: undefined },
    ]);
    const gone = acted(loaded, work, all, { kind: 'delete' }).work;
    expect([...gone.gone]).toEqual([1, 1, 0]);
    const back = acted(loaded, gone, all, { kind: 'revert' }).work;
    expect(changesOf(loaded, back).places).toHaveLength(0);
    expect(back.notes).toEqual(loaded.notes);
    expect(acted(loaded, start, all, { kind: 'note', text: '' }).work.notes.size).toBe(0);
  });

  test('records come in between, over those that are there, and over deleted ones', () => {
    const loaded = base([0, 1, 192, 'ice'], [2, 3]);
    const work = { ...workOf(loaded), gone: Uint8Array.of(0, 1) };
    const { work: next, mask: is } = added(work, [row([0, 9]), row([1, 2, 100, 'by hand']), row([2, 4])]);
    expect(valuesOf(next)).toEqual([9, 2, 4]);
    expect([...next.gone]).toEqual([0, 0, 0]);
    expect([...next.origin]).toEqual([0, -1, 1]);
    expect(cellAt(next, 0)).toEqual({ value: 9, quality: 192, note: 'ice' });
    expect(countOf(is)).toBe(3);
  });

  test.each([
    [0.1 + 0.2, 0.3],
    [1e-20 * 3, 3e-20],
    [123_456_789_012_345, 123_456_789_012_345],
    [-0.7 - 0.1, -0.8],
    [0, 0],
  ])('%d is written as %d', (value, expected) => {
    expect(clean(value)).toBe(expected);
  });
});

test('steps are taken back and done again; choosing is none; a new step forgets what was taken back', () => {
  const work = workOf(of([1, 2]));
  const [a, b] = [mask(work, 0), mask(work, 1)];
  const other = { ...work, gone: a };
  let history = chose(begun({ work, mask: a }), b);
  expect(undid(history)).toBe(history);
  history = did(history, { work: other, mask: a });
  expect(undid(history).now).toEqual({ work, mask: b });
  expect(redid(undid(history)).now.work).toBe(other);
  expect(did(undid(history), { work, mask: a }).future).toEqual([]);
  for (let i = 0; i < 60; i += 1) history = did(history, { work, mask: a });
  expect(history.past).toHaveLength(50);
});

describe('changes', () => {
  const loaded = base([0, 1], [1, 2, 192], [2, 3, NO_QUALITY, 'ice'], [3, null, 158], [5, 7]);
  const start = workOf(loaded);
  const does = (work: Work, hours: number[], action: Action) => acted(loaded, work, mask(work, ...hours), action).work;
  let work = does(start, [0], { kind: 'offset', by: 1 });
  work = does(work, [1], { kind: 'quality', code: NO_QUALITY });
  work = does(work, [2], { kind: 'delete' });
  work = does(work, [3], { kind: 'quality', code: NO_QUALITY });
  work = added(work, [row([4, 6, 100, 'by hand'])]).work;

  test('a record of which nothing is left is deleted; what is added and deleted again is no change', () => {
    expect([0, 1, 2, 3, 4].map((i) => kindAt(loaded, work, i))).toEqual([CHANGED, CHANGED, DELETED, DELETED, ADDED]);
    expect(changesOf(loaded, work)).toMatchObject({ added: 1, changed: 2, deleted: 2 });
    const without = acted(loaded, work, mask(work, 4), { kind: 'delete' }).work;
    expect(changesOf(loaded, without)).toMatchObject({ added: 0, changed: 2, deleted: 2 });
    expect(changesOf(loaded, does(start, [0], { kind: 'offset', by: 0 })).places).toHaveLength(0);
  });

  test('a write names only what changes, and stored values are those before the transform', () => {
    const [part] = partsOf(work, changesOf(loaded, work));
    const { data, was } = documentOf(loaded, work, part!, { multiplier: 0.1, offset: 1 });
    // The request says what is there, as it was read: values that are shown, and no record where one is added.
    expect(was.map(({ ts, f }) => [Date.parse(ts) / HOUR, f[0]])).toEqual(
      [0, 1, 2, 3].map((hour) => {
        const { value, quality, note } = cellAt(loaded, loaded.times.indexOf(hour * HOUR));
        return [
          hour,
          {
            ...(value !== null && !Number.isNaN(value) && { v: value }),
            ...(quality !== NO_QUALITY && { q: quality }),
            ...(note !== undefined && { a: note }),
          },
        ];
      }),
    );
    expect(data.map(({ ts, f }) => [Date.parse(ts) / HOUR, f[0]])).toEqual([
      [0, { v: 10 }],
      [1, { q: null }],
      [2, null],
      [3, null],
      [4, { v: 50, q: 100, a: 'by hand' }],
    ]);
  });

  test('parts are as long as one write may be, and end where they end', () => {
    const parts = partsOf(work, changesOf(loaded, work), 2);
    expect(parts.map(({ places, startMs, endMs }) => [places.length, startMs / HOUR, endMs / HOUR])).toEqual([
      [2, 0, 1],
      [2, 2, 3],
      [1, 4, 4],
    ]);
    expect(partsOf(start, changesOf(loaded, start))).toEqual([]);
  });

  test('what the store does not have afterwards is named', () => {
    const changes = changesOf(loaded, work);
    const stored = base([0, 2 + 1e-12], [1, 2], [4, 6, 100, 'by hand'], [5, 7]);
    expect(missingOf(loaded, work, changes, stored)).toEqual([]);
    const partly = base([0, 1], [1, 2], [2, 3], [5, 7]);
    expect(missingOf(loaded, work, changes, partly).map((ms) => ms / HOUR)).toEqual([0, 2, 4]);
  });
});

describe('two people', () => {
  const loaded = base([0, 1], [1, 2], [2, 3], [3, 4]);
  const mine = (hours: number[], action: Action) =>
    acted(loaded, workOf(loaded), mask(workOf(loaded), ...hours), action).work;
  const set = mine([1], { kind: 'set', by: 20 });

  test.each([
    [
      'somebody changed another record: it is as they have it',
      set,
      base([0, 9], [1, 2], [2, 3], [3, 4]),
      0,
      1,
      [
        [0, 9],
        [1, 20],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'somebody deleted another record',
      set,
      base([1, 2], [2, 3], [3, 4]),
      0,
      1,
      [
        [1, 20],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'somebody added a record',
      set,
      base([0, 1], [1, 2], [1.5, 5], [2, 3], [3, 4]),
      0,
      1,
      [
        [0, 1],
        [1, 20],
        [1.5, 5],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'somebody changed the same: a conflict',
      set,
      base([0, 1], [1, 9], [2, 3], [3, 4]),
      1,
      0,
      [
        [0, 1],
        [1, 20],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'somebody did the same: none',
      set,
      base([0, 1], [1, 20], [2, 3], [3, 4]),
      0,
      0,
      [
        [0, 1],
        [1, 20],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'somebody deleted the same that is deleted here: none',
      mine([1], { kind: 'delete' }),
      base([0, 1], [2, 3], [3, 4]),
      0,
      0,
      [
        [0, 1],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'somebody deleted what is changed here: a conflict',
      set,
      base([0, 1], [2, 3], [3, 4]),
      1,
      0,
      [
        [0, 1],
        [1, 20],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'somebody changed what is deleted here: a conflict',
      mine([1], { kind: 'delete' }),
      base([0, 1], [1, 9], [2, 3], [3, 4]),
      1,
      0,
      [
        [0, 1],
        [1, 'gone'],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'both added the same time: a conflict',
      added(workOf(loaded), [row([1.5, 6])]).work,
      base([0, 1], [1, 2], [1.5, 5], [2, 3], [3, 4]),
      1,
      0,
      [
        [0, 1],
        [1, 2],
        [1.5, 6],
        [2, 3],
        [3, 4],
      ],
    ],
  ])('%s', (_what, work, now, conflicts, adopted, expected) => {
    const { work: next, ...rest } = rebased(loaded, work, now, () => true);
    expect([rest.conflicts.length, rest.adopted]).toEqual([conflicts, adopted]);
    const rows = [...next.times].map((ms, i) => [ms / HOUR, next.gone[i] ? 'gone' : next.values[i]]);
    expect(rows).toEqual(expected);
    // Nothing is left to be written at these times with theirs.
    const theirs = rebased(loaded, work, now, () => false).work;
    expect(changesOf(now, theirs).places.length).toBe(changesOf(now, next).places.length - conflicts);
  });

  test('a conflict shows what was, what is to be and what is', () => {
    const { conflicts } = rebased(loaded, mine([1], { kind: 'delete' }), base([0, 1], [1, 9, 192, 'ice']), () => true);
    expect(conflicts).toEqual([
      {
        ms: HOUR,
        base: { value: 2, quality: NO_QUALITY, note: undefined },
        mine: undefined,
        theirs: { value: 9, quality: 192, note: 'ice' },
      },
    ]);
  });
});

test('work that was kept comes back over newer records, and what somebody else has changed is still found', () => {
  const loaded = base([0, 1], [1, 2, 192, 'ice'], [2, 3]);
  let work = acted(loaded, workOf(loaded), Uint8Array.of(1, 0, 0), { kind: 'delete' }).work;
  work = acted(loaded, work, Uint8Array.of(0, 1, 0), { kind: 'note', text: '' }).work;
  work = added(work, [row([1.5, 6])]).work;
  const kept = keptOf([...packed({ start: 0, end: 9 }, loaded, work)].join(''))!;
  const now = base([0, 1], [1, 5, 192, 'ice'], [2, 3], [3, 8]);
  const back = restored(kept, now);
  expect(changesOf(back.base, back.work)).toMatchObject({ added: 1, changed: 1, deleted: 1 });
  expect(cellAt(back.work, 1)).toEqual({ value: 2, quality: 192, note: undefined });
  const { conflicts } = rebased(back.base, back.work, now, () => true);
  expect(conflicts.map(({ ms }) => ms / HOUR)).toEqual([1]);
  expect([null, '', '{}', 'x', '{"start":1,"end":2}'].map(keptOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('texts and times', () => {
  const parts = (coding: ReturnType<typeof codingOf>, values: readonly (string | null)[]) => {
    const loaded = base(...values.map((value, hour) => [hour, coding.numberOf(value)] as const));
    return { loaded, work: workOf(loaded) };
  };

  test('a text is found, set, written, kept and compared as the text that it is', () => {
    const coding = codingOf({ _class: 'io.svc.models.node.point.TextPoint' });
    const { loaded, work } = parts(coding, ['open', 'shut', null, 'open']);
    const open = found(work, { kind: 'is', limit: coding.numberOf('open') });
    expect(chosen(open)).toEqual([0, 3]);
    const shut = acted(loaded, work, open, { kind: 'set', by: coding.numberOf('half') }).work;
    const changes = changesOf(loaded, shut);
    const [part] = partsOf(shut, changes);
    const { data } = documentOf(loaded, shut, part!, { multiplier: 1, offset: 0 }, coding);
    expect(data.map(({ f }) => f[0])).toEqual([{ v: 'half' }, { v: 'half' }]);
    const kept = keptOf([...packed({ start: 0, end: 9 }, loaded, shut, coding)].join(''))!;
    expect(kept.changes.map(([, mine, before]) => [mine?.[0], before?.[0]])).toEqual([
      ['half', 'open'],
      ['half', 'open'],
    ]);
    // A page that is loaded again knows no text yet.
    const later = codingOf({ _class: 'io.svc.models.node.point.TextPoint' });
    const now = parts(later, ['open', 'shut', null, 'locked']).loaded;
    const back = restored(kept, now, later);
    const { conflicts, work: next } = rebased(back.base, back.work, now, () => true);
    expect(conflicts.map(({ theirs }) => later.valueOf(theirs?.value ?? Number.NaN))).toEqual(['locked']);
    expect([...next.values].map(later.valueOf)).toEqual(['half', 'shut', null, 'half']);
    expect(missingOf(now, next, changesOf(now, next), now, later).map((ms) => ms / HOUR)).toEqual([0, 3]);
  });

  test('times are instants, and one that is a moment beside another is not stored as it was sent', () => {
    const coding = codingOf({ _class: 'io.svc.models.node.point.TimePoint' });
    const { loaded, work } = parts(coding, ['2024-07-01T00:00:00.000Z']);
    const to = coding.numberOf('2024-07-01T06:00:00.000Z');
    const next = acted(loaded, work, mask(work, 0), { kind: 'set', by: to }).work;
    const changes = changesOf(loaded, next);
    const [part] = partsOf(next, changes);
    const { data } = documentOf(loaded, next, part!, { multiplier: 1, offset: 0 }, coding);
    expect(data[0]?.f[0]).toEqual({ v: '2024-07-01T06:00:00.000Z' });
    expect(missingOf(loaded, next, changes, base([0, to + 1]), coding)).toEqual([0]);
  });
});

describe('lines that are pasted', () => {
  const utc = { instant: (ms: number) => ms, offsetMs: () => 0 };
  const berlin = zoneOf('Europe/Berlin', true, 2026);
  const limits = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2027, 0, 1), longestNote: 5 };
  const at = (...parts: [number, number, number, number?, number?, number?, number?]) => Date.UTC(...parts);
  test.each([
    ['2026-05-31 14:00; 1.25', at(2026, 4, 31, 14), 1.25, NO_QUALITY, undefined],
    ['2026-05-31T14:00:05.25Z\t-3,5\t192\tice', at(2026, 4, 31, 14, 0, 5, 250), -3.5, 192, 'ice'],
    ['31.5.2026 14:00 1e-3', at(2026, 4, 31, 14), 0.001, NO_QUALITY, undefined],
    ['2026-05-31 14:00+02:00,7', at(2026, 4, 31, 12), 7, NO_QUALITY, undefined],
    ['2026-05-31 14:00;7;;ice', at(2026, 4, 31, 14), 7, NO_QUALITY, 'ice'],
  ])('%s', (line, ms, value, quality, note) => {
    expect(parsedLines(line, utc, limits)).toEqual({ rows: [{ ms, value, quality, note }], refused: [] });
  });

  test.each([
    ['what is no record', 'yesterday 5', 'form'],
    ['a day that there is not', '2026-02-30 10:00 1', 'time'],
    ['an hour that there is not', '2026-02-03 24:00 1', 'time'],
    ['a time that the clock skips', '2026-03-29 02:30 1', 'skipped'],
    ['a time outside of what was loaded', '2025-03-29 02:30 1', 'outside'],
    ['a quality that is none', '2026-03-29 05:30;1;70000', 'quality'],
    ['a note that is too long', '2026-03-29 05:30;1;1;longer', 'note'],
  ])('%s is refused by its line', (_what, line, reason) => {
    expect(parsedLines(`\n${line}`, berlin, limits)).toEqual({ rows: [], refused: [{ line: 2, reason }] });
  });

  test('a time that comes twice is refused, rows are in the order of time, and zones distinguish the passes of a doubled hour', () => {
    const text = '2026-10-25 02:30+01:00 2\n2026-10-25 02:30+02:00 1\n2026-10-25 02:30 3\n2026-05-01 00:00 0';
    const { rows, refused } = parsedLines(text, berlin, limits);
    expect(rows.map(({ value }) => value)).toEqual([0, 1, 2]);
    expect(refused).toEqual([{ line: 3, reason: 'twice' }]);
  });
});

describe('what follows', () => {
  const rules = rulesOf({
    statesType: 'RANGE',
    hysteresis: 0.5,
    states: [
      { name: 'LOW', threshold: 1 },
      { name: 'NORMAL' },
      { name: 'HIGH', threshold: 3, isAlarm: true },
      { name: 'FLOOD', threshold: 5, isAlarm: true, occurrences: 2 },
    ],
  })!;
  test.each([
    [[2], 'NORMAL'],
    [[3], 'HIGH'],
    [[3, 2.6], 'HIGH'],
    [[3, 2.4], 'NORMAL'],
    [[6], 'HIGH'],
    [[6, 6], 'FLOOD'],
    [[6, 6, 4.6], 'FLOOD'],
    [[6, 6, 4.4], 'HIGH'],
    [[6, 6, 0], 'LOW'],
    [[0, 1.4], 'LOW'],
    [[0, 9], 'HIGH'],
    [[], 'NORMAL'],
  ])('after %j the state is %s', (values, name) => {
    expect(stateAfter(values, rules)?.name).toBe(name);
  });

  test('values that are equal to a threshold match; discrete states need theirs in a row', () => {
    expect([1, 2, 3, 5, 9].map((value) => matchNumber(rules, value)?.name)).toEqual([
      'LOW',
      'NORMAL',
      'HIGH',
      'FLOOD',
      'FLOOD',
    ]);
    const discrete = rulesOf({ statesType: 'DISCRETE', states: [{ name: 'ON', threshold: 1, occurrences: 2 }] })!;
    expect([[1], [1, 1], [1, 1, 0]].map((values) => stateAfter(values, discrete)?.name)).toEqual([
      undefined,
      'ON',
      undefined,
    ]);
    expect(rulesOf({ statesType: 'RANGE', states: [{ name: 'NORMAL' }] })).toBeUndefined();
  });

  test('a corrected newest record shows its state before and after, and how many records match which state', () => {
    const loaded = of([2, 2, 9]);
    const work = acted(loaded, workOf(loaded), Uint8Array.of(0, 1, 1), { kind: 'set', by: 2.5 }).work;
    const { newest, counts } = followsOf(loaded, work, changesOf(loaded, work), rules, 2 * HOUR);
    expect([newest?.before?.state?.name, newest?.after?.state?.name]).toEqual(['HIGH', 'NORMAL']);
    expect(counts).toEqual([
      { name: 'NORMAL', before: 1, after: 2 },
      { name: 'FLOOD', before: 1, after: 0 },
    ]);
  });

  test('history before the newest record changes no state of now', () => {
    const loaded = of([2, 9, 2]);
    const work = acted(loaded, workOf(loaded), Uint8Array.of(0, 1, 0), { kind: 'set', by: 2 }).work;
    expect(followsOf(loaded, work, changesOf(loaded, work), rules, 2 * HOUR).newest).toBeUndefined();
    const last = acted(loaded, workOf(loaded), Uint8Array.of(0, 0, 1), { kind: 'delete' }).work;
    expect(followsOf(loaded, last, changesOf(loaded, last), rules, 50 * HOUR).newest).toBeUndefined();
    expect(followsOf(loaded, last, changesOf(loaded, last), rules, 2 * HOUR).newest?.after?.value).toBe(9);
  });
});

test('a picture keeps the first, lowest, highest and last record of a column, breaks, and what lies beside the window', () => {
  const loaded = base([0, 1], [1, 5], [1.1, 9], [1.2, 0], [1.3, 4], [1.4, 5], [3, null], [5, 6], [6, 7]);
  const { times, values } = reduced(loaded, undefined, { start: HOUR, end: 4 * HOUR }, HOUR);
  expect(times.map((ms) => ms / HOUR)).toEqual([0, 1, 1.1, 1.2, 1.4, 3, 5]);
  expect(values).toEqual([1, 5, 9, 0, 5, null, 6]);
});

test('values that are times are read as answers have them, and written as texts', () => {
  const coding = codingOf({ _class: 'io.svc.models.node.point.TimePoint' });
  const read = coding.numberOf({ $time: '2026-01-01T01:00:00.000+01:00' });
  expect(coding.valueOf(read)).toBe('2026-01-01T00:00:00.000Z');
  expect([{ $time: 5 }, {}, null, 'soon'].map(coding.numberOf)).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
});
