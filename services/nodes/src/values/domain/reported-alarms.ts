import type { AlarmText } from '@catchment/contracts/alarms';
import type { StoredAlarm } from './stored-alarm.ts';

export type ReportedState = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly stateId: string;
  readonly revision: number;
};
export type ReportedAlarms = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly alarms: Readonly<Record<string, StoredAlarm>>;
};

/** A report of the alarms service about one state or alarm. */
export type AlarmsMessage =
  | ({ readonly kind: 'state' } & ReportedState)
  | {
      readonly kind: 'alarm';
      readonly nodeId: string;
      readonly ownerId: string;
      readonly alarmType: string;
      readonly status: StoredAlarm;
      /** The alarm's message, where that is still to be evaluated. */
      readonly custom: AlarmText | undefined;
    };
