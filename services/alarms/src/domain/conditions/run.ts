import { type Alarm, changeAlarm } from './alarm.ts';
import type { Node } from './node.ts';

/** How a run of a rating ended; Unix ms. */
export type RunOutcome = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly sourceId: string;
  /** Empty: it succeeded. */
  readonly failure: string;
  readonly timeMs: number;
};

export type ProcessNews = {
  readonly alarm: Alarm;
  readonly eventState: 'ACTIVE' | 'CLEARED' | 'NONE';
  readonly message: string;
};

/**
 * What a run does to the processAlarm (docs/reference/alarms.md#conditions, docs/reference/alarms.md#events-and-texts);
 * undefined for nothing.
 */
export function processNews(
  before: Alarm,
  { hasProcessAlarm }: Pick<Node, 'hasProcessAlarm'>,
  { failure, timeMs }: Pick<RunOutcome, 'failure' | 'timeMs'>,
): ProcessNews | undefined {
  const isRaised = failure !== '' && hasProcessAlarm;
  const message = isRaised ? `Process failed: ${failure}` : 'Process recovered';
  const { alarm, eventState } = changeAlarm(
    before,
    isRaised ? { kind: 'raise', cause: { message, categoryId: null }, escalates: false, timeMs } : { kind: 'clear' },
  );
  return alarm === before ? undefined : { alarm, eventState: eventState as ProcessNews['eventState'], message };
}
