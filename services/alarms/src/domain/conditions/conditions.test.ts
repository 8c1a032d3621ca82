import { AlarmConfig, NodeConfig } from '@catchment/contracts/nodes';
import { transformOf, UNTRANSFORMED } from '@catchment/equation';
import { ALARM_TYPES, type AlarmType } from '@catchment/query';
import { type Alarm, CLEARED } from '../alarm.ts';
import { alarmNews } from '../alarm-news.ts';
import type { Occurrence } from '../alarm-types.ts';
import { toNode } from '../node.ts';
import type { AlarmingState } from '../series.ts';
import { durationText } from './outdated.ts';

const DAY = 86_400_000;
const TIME = 10 * DAY;
const node = (nodeClass: string, alarms: Partial<AlarmConfig>[] = []) =>
  toNode(
    NodeConfig.fromPartial({
      class: nodeClass,
      source: nodeClass.startsWith('source') ? { isEnabled: true, scheduleType: 'NONE' } : undefined,
      alarms: alarms.map((alarm) => AlarmConfig.fromPartial({ isEnabled: true, ...alarm })),
    }),
  );
const SOURCE = node('source.data.Jts', [{ type: 'outdatedAlarm' }]);
const CAMERA = node('source.attachment.AttachmentSource');
const CONTROL = node('point.NumberControlPoint');
const PROCESS = node('point.NumberProcessPoint');
const POINT = node('point.NumberPoint', [{ type: 'qualityAlarm' }]);
const PLACE = node('location.Location', [{ type: 'qualityAlarm' }]);

const attempt = (kind: 'session' | 'configuration' | 'control' | 'run' | 'files', failure: string, timeMs = TIME) => ({
  kind,
  failure,
  timeMs,
});
const acquired = (change: object = {}): Occurrence => ({
  kind: 'acquisition',
  timeMs: TIME,
  excluded: 0,
  dropped: 0,
  fault: '',
  continues: false,
  isSource: true,
  isSilent: false,
  ...change,
});
const looked = (isOutdated: boolean, quietMs: number): Occurrence => ({
  kind: 'looked',
  timeMs: TIME,
  isOutdated,
  quietMs,
});
const graded = (isListed: boolean, code?: number, name = ''): Occurrence => ({
  kind: 'graded',
  timeMs: TIME,
  type: isListed ? 'BAD' : 'GOOD',
  code,
  name,
  isListed,
});
const state = (name: string, isAlarm: boolean, threshold?: number): AlarmingState => ({
  stateId: name,
  name,
  threshold,
  occurrences: 1,
  isAlarm,
  categoryId: '',
  messageAway: '',
  messageTowards: '',
});
const [NORMAL, HIGH] = [state('NORMAL', false), state('HIGH', true, 5)];
const transform = transformOf(UNTRANSFORMED);
const RECORD = { timeMs: TIME, value: 6, code: undefined };
const rules = { statesType: 'RANGE', states: [NORMAL, HIGH], hysteresis: 0, transform };
const step = (from: AlarmingState, to: AlarmingState): Occurrence => ({
  kind: 'step',
  rules,
  step: { from, to, timeMs: TIME, record: RECORD },
  timeMs: TIME,
});

/** Every alarm stands with what raises and clears it (docs/reference/alarms.md#conditions), and its texts (#events-and-texts). */
const ROWS: readonly [AlarmType, ReturnType<typeof toNode>, Occurrence, Occurrence, string, string, string][] = [
  [
    'communicationsAlarm',
    SOURCE,
    attempt('session', 'no answer'),
    attempt('session', ''),
    'ACQUISITION',
    'Communications failed: no answer',
    'Communications restored',
  ],
  [
    'communicationsAlarm',
    SOURCE,
    attempt('session', 'login'),
    acquired(),
    'ACQUISITION',
    'Communications failed: login',
    'Communications restored',
  ],
  [
    'configurationAlarm',
    SOURCE,
    attempt('configuration', 'refused'),
    attempt('configuration', ''),
    'CONFIGURATION',
    'Configuration failed: refused',
    'Configuration recovered',
  ],
  [
    'controlAlarm',
    CONTROL,
    attempt('control', 'out of range'),
    attempt('control', ''),
    'CONTROL',
    'Control failed: out of range',
    'Control recovered',
  ],
  [
    'dataAlarm',
    SOURCE,
    acquired({ excluded: 2 }),
    acquired(),
    'ACQUISITION',
    'Data invalid: 2 records outside of the accepted time',
    'Data valid',
  ],
  [
    'outdatedAlarm',
    SOURCE,
    looked(true, 26 * 3_600_000),
    looked(false, DAY),
    'ACQUISITION',
    'No new data received for 1 day 2 hours',
    'Up to date after 1 day',
  ],
  [
    'overloadAlarm',
    SOURCE,
    acquired({ dropped: 3 }),
    acquired({ timeMs: TIME + DAY }),
    'ACQUISITION',
    'Overload: 3 records discarded',
    'Overload cleared',
  ],
  [
    'overloadAlarm',
    CAMERA,
    attempt('files', '2 files discarded'),
    attempt('files', '', TIME + DAY),
    'ACQUISITION',
    'Overload: 2 files discarded',
    'Overload cleared',
  ],
  [
    'processAlarm',
    PROCESS,
    attempt('run', 'x is not defined'),
    attempt('run', ''),
    'ACQUISITION',
    'Process failed: x is not defined',
    'Process recovered',
  ],
  [
    'qualityAlarm',
    POINT,
    graded(true, 158, 'Bad - Data Unavailable'),
    graded(false),
    'ACQUISITION',
    'Quality is BAD: Bad - Data Unavailable [158]',
    'Quality is GOOD',
  ],
  [
    'qualityAlarm',
    PLACE,
    graded(true, 7),
    graded(false, 1, 'Fine'),
    'ACQUISITION',
    'Quality is BAD: [7]',
    'Quality is GOOD',
  ],
  ['qualityAlarm', POINT, graded(true), graded(false), 'ACQUISITION', 'Quality is BAD', 'Quality is GOOD'],
  [
    'stateAlarm',
    POINT,
    step(NORMAL, HIGH),
    step(HIGH, NORMAL),
    'STATE',
    'State changed from NORMAL to HIGH',
    'State changed from HIGH to NORMAL',
  ],
];

/** Returns what an occurrence does to one alarm of a node, all others being CLEARED. */
const newsOf = (type: AlarmType, of: ReturnType<typeof toNode>, occurrence: Occurrence, before: Alarm) =>
  alarmNews(occurrence, of, (alarmType) => (alarmType === type ? before : CLEARED)).find((news) => news.type === type);

test('every alarm has its row', () => {
  expect([...new Set(ROWS.map(([type]) => type))].sort()).toEqual([...ALARM_TYPES].sort());
});

test.each(ROWS)('%s is raised and cleared', (type, of, raises, clears, eventType, raisedText, clearedText) => {
  const begun = newsOf(type, of, raises, CLEARED);
  const isState = type === 'stateAlarm';
  const level = isState ? 'INFO' : 'WARNING';
  const transition = (alarmState: string, states?: object) => ({
    alarmType: type,
    alarmState,
    states: isState ? expect.objectContaining(states) : undefined,
  });
  const up = transition('ACTIVE', { from: NORMAL, to: HIGH });
  const down = transition('CLEARED', { from: HIGH, to: NORMAL });
  expect(begun?.event).toEqual({ level, eventType, alarmState: 'ACTIVE', message: raisedText, transition: up });
  expect(begun?.alarm).toMatchObject({ alarmState: 'ACTIVE', message: raisedText, activeTimeMs: TIME });
  expect(newsOf(type, of, raises, begun!.alarm)?.event).toEqual(isState ? expect.anything() : undefined);
  const over = newsOf(type, of, clears, begun!.alarm);
  expect(over).toEqual({
    type,
    alarm: CLEARED,
    custom: undefined,
    event: { level: 'INFO', eventType, alarmState: 'CLEARED', message: clearedText, transition: down },
  });
  const acknowledged = { ...begun!.alarm, alarmState: 'ACKNOWLEDGED' as const };
  expect(newsOf(type, of, clears, acknowledged)?.alarm).toEqual(CLEARED);
  if (!isState) expect(newsOf(type, of, clears, CLEARED)).toBeUndefined();
});

test.each(ROWS.filter(([type]) => type !== 'stateAlarm'))(
  '%s that is switched off is not raised',
  (type, of, raises) => {
    const off = { ...of, alarms: new Map([[type, AlarmConfig.fromPartial({ type, isEnabled: false })]]) };
    expect(newsOf(type, off, raises, CLEARED)).toBeUndefined();
  },
);

test('an alarm has the category of its configuration', () => {
  const of = node('source.data.Jts', [{ type: 'communicationsAlarm', categoryId: 'c1' }]);
  expect(newsOf('communicationsAlarm', of, attempt('session', 'x'), CLEARED)?.alarm.categoryId).toBe('c1');
});

test('outdatedAlarm shows its own message, the event the usual one', () => {
  const of = node('source.data.Jts', [{ type: 'outdatedAlarm', messageAway: 'The gauge sleeps' }]);
  const news = newsOf('outdatedAlarm', of, looked(true, 60_000), CLEARED);
  expect([news?.alarm.message, news?.event?.message]).toEqual([
    'The gauge sleeps',
    'No new data received for 1 minute',
  ]);
});

test('a message with expressions is handed on with what it is about; the alarm has the usual text until it is evaluated', () => {
  const messageAway = '{{ THIS.name }} sleeps';
  const source = node('source.data.Jts', [{ type: 'outdatedAlarm', messageAway }]);
  const asleep = newsOf('outdatedAlarm', source, looked(true, 60_000), CLEARED);
  expect(asleep?.custom).toEqual({ text: messageAway, stateName: '', timeMs: TIME });
  expect(asleep?.alarm.message).toBe('No new data received for 1 minute');
  const high = { ...HIGH, messageAway };
  const rules = { statesType: 'RANGE', states: [NORMAL, high], hysteresis: 0, transform } as const;
  const step = { from: NORMAL, to: high, timeMs: TIME, record: RECORD };
  const entered = newsOf('stateAlarm', POINT, { kind: 'step', rules, step, timeMs: TIME }, CLEARED);
  expect(entered?.custom).toEqual({ text: messageAway, stateName: 'HIGH', timeMs: TIME, record: RECORD });
  expect(entered?.alarm.message).toBe('State changed from NORMAL to HIGH');
});

test('what reaches a parameter alone says nothing of the connection of its source', () => {
  const active = { ...CLEARED, alarmState: 'ACTIVE' as const };
  expect(newsOf('communicationsAlarm', SOURCE, acquired({ isSource: false }), active)).toBeUndefined();
});

test.each([
  [0, '0 seconds'],
  [1_999, '1 second'],
  [60_000, '1 minute'],
  [125_000, '2 minutes 5 seconds'],
  [3_599_999, '59 minutes 59 seconds'],
  [3_605_000, '1 hour'],
  [DAY, '1 day'],
  [DAY + 2 * 3_600_000 + 3 * 60_000 + 4_000, '1 day 2 hours 3 minutes'],
  [400 * DAY + 60_000, '400 days 1 minute'],
])('%d ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
