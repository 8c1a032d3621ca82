import { NodeConfig } from '@catchment/contracts/nodes';
import type { AlarmType } from '@catchment/query';
import { type Alarm, CLEARED } from '../alarm.ts';
import { alarmNews } from '../alarm-news.ts';
import { type Node, toNode } from '../node.ts';

const DAY = 86_400_000;
const source = (alarms: { type: AlarmType; isEnabled: boolean }[]) =>
  toNode(NodeConfig.fromPartial({ class: 'source.data.Jts', source: { isEnabled: true }, alarms }));
const NODE = source([]);
const acquisition = (change: object = {}) => ({
  kind: 'acquisition' as const,
  excluded: 0,
  dropped: 0,
  fault: '',
  continues: false,
  timeMs: 10 * DAY,
  isSource: true,
  isSilent: false,
  ...change,
});
const active = { ...CLEARED, alarmState: 'ACTIVE' as const, message: 'before', activeTimeMs: 10 * DAY - 1_000 };
const acknowledged = { ...active, alarmState: 'ACKNOWLEDGED' as const };

/** Returns what an acquisition does to one of the alarms, the other one being CLEARED. */
const newsOf = (type: AlarmType, before: Alarm, node: Node, change: object) =>
  alarmNews(acquisition(change), node, (alarmType) => (alarmType === type ? before : CLEARED)).find(
    (news) => news.type === type,
  );

test.each([
  [
    'left out records raise',
    'dataAlarm',
    CLEARED,
    { excluded: 3 },
    NODE,
    'ACTIVE',
    'ACTIVE',
    'Data invalid: 3 records outside of the accepted time',
  ],
  [
    'one record',
    'dataAlarm',
    CLEARED,
    { excluded: 1 },
    NODE,
    'ACTIVE',
    'ACTIVE',
    'Data invalid: 1 record outside of the accepted time',
  ],
  [
    'a file at fault raises',
    'dataAlarm',
    CLEARED,
    { fault: 'a.csv: parsed 40%, 90% required' },
    NODE,
    'ACTIVE',
    'ACTIVE',
    'Data invalid: a.csv: parsed 40%, 90% required',
  ],
  [
    'records left out of what follows raise again',
    'dataAlarm',
    active,
    { excluded: 2, continues: true },
    NODE,
    'ACTIVE',
    'NONE',
    'Data invalid: 2 records outside of the accepted time',
  ],
  ['the next acquisition without any clears', 'dataAlarm', active, {}, NODE, 'CLEARED', 'CLEARED', 'Data valid'],
  [
    'discarded rows raise',
    'overloadAlarm',
    CLEARED,
    { dropped: 5 },
    NODE,
    'ACTIVE',
    'ACTIVE',
    'Overload: 5 records discarded',
  ],
  [
    'raised again it is only another text',
    'overloadAlarm',
    acknowledged,
    { dropped: 5 },
    NODE,
    'ACKNOWLEDGED',
    'NONE',
    'Overload: 5 records discarded',
  ],
  [
    'one that drops nothing clears on the next day',
    'overloadAlarm',
    active,
    {},
    NODE,
    'CLEARED',
    'CLEARED',
    'Overload cleared',
  ],
] as const)('%s', (_what, type, before, change, node, state, eventState, message) => {
  const news = newsOf(type, before, node, change);
  expect([news?.alarm.alarmState, news?.event?.alarmState ?? 'NONE']).toEqual([state, eventState]);
  expect([news?.event?.message, news?.alarm.message]).toContain(message);
});

test.each([
  ['nothing left out, nothing raised', 'dataAlarm', CLEARED, {}, NODE],
  ['a silent write does not raise', 'dataAlarm', CLEARED, { excluded: 3, isSilent: true }, NODE],
  ['a silent write does not clear', 'dataAlarm', active, { isSilent: true }, NODE],
  [
    'a disabled alarm is not raised',
    'dataAlarm',
    CLEARED,
    { excluded: 3 },
    source([{ type: 'dataAlarm', isEnabled: false }]),
  ],
  ['what continues an acquisition does not clear', 'dataAlarm', active, { continues: true }, NODE],
  ['a file at fault is no end of an overload', 'overloadAlarm', { ...active, activeTimeMs: 0 }, { fault: 'x' }, NODE],
  ['an overload lasts for its day', 'overloadAlarm', active, { timeMs: 10 * DAY - 1 }, NODE],
  ['discards are no matter of the data alarm', 'dataAlarm', CLEARED, { dropped: 3 }, NODE],
  ['left out records are no overload', 'overloadAlarm', CLEARED, { excluded: 3 }, NODE],
] as const)('%s', (_what, type: AlarmType, before, change, node) => {
  expect(newsOf(type, before, node, change)).toBeUndefined();
});
