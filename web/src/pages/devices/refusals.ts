import { type Alarm, raised } from '../../data/alarms/alarms.ts';

/** Returns the alarm by which a source reports that its device has refused a configuration. */
export const refusals = (): ReadonlyMap<string, Alarm> => {
  const held = raised.value;
  const all = held.kind === 'ready' ? held.alarms : [];
  return new Map(
    all.filter(({ alarmType }) => alarmType === 'configurationAlarm').map((alarm) => [alarm.nodeId, alarm]),
  );
};
