import type { AlarmType } from '@catchment/query';
import type { Alarm } from './alarm.ts';
import type { CustomText, Transition } from './alarm-news.ts';
import type { AlarmRule } from './alarm-types.ts';
import type { Node } from './node.ts';
import type { Series } from './series.ts';

/** A line for the event log gets its id from the store. */
export type NewEvent = {
  readonly node: Node;
  readonly level: 'INFO' | 'WARNING';
  readonly eventType: AlarmRule['eventType'];
  readonly alarmState: 'NONE' | 'ACTIVE' | 'ACKNOWLEDGED' | 'CLEARED';
  /** The alarm that it is about, where people and settings have changed it; otherwise its transition says it. */
  readonly alarmType?: AlarmType;
  readonly timeMs: number;
  readonly username: string;
  readonly message: string;
  /** Its condition made this change; absent for changes by people and settings. */
  readonly transition?: Transition;
};

export type SeriesChange = { readonly node: Node; readonly series: Series; readonly announce: boolean };
export type NodeAlarm = {
  readonly node: Node;
  readonly type: AlarmType;
  readonly alarm: Alarm;
  /** Its message still waits for evaluation. */
  readonly custom?: CustomText | undefined;
  /** false: only what this service keeps for itself has changed. */
  readonly isReported?: boolean;
};

/**
 * One transaction changes all this: rows, and the messages about them. The last of several changes of one series or
 * alarm, in their order, is stored.
 */
export type Changes = {
  readonly series?: readonly SeriesChange[];
  readonly alarms?: readonly NodeAlarm[];
  readonly events?: readonly NewEvent[];
};

export type StoredAlarm = { readonly nodeId: string; readonly type: AlarmType; readonly alarm: Alarm };
