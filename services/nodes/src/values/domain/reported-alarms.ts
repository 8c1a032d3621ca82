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
      /** The alarm's message still waits for evaluation. */
      readonly custom: AlarmText | undefined;
    };

/** The stored state of a node; null = none was reported yet. */
export type StoredState = { readonly stateId: string | null; readonly revision: number };

/** Nodes that are in another state once the reports are stored: older ones change nothing. */
export const nodesInOtherState = (
  stored: ReadonlyMap<string, StoredState>,
  reported: readonly ReportedState[],
): string[] =>
  reported
    .filter(({ nodeId, stateId, revision }) => {
      const before = stored.get(nodeId);
      return !before || (before.revision < revision && before.stateId !== stateId);
    })
    .map(({ nodeId }) => nodeId);
