import type { Acquisition } from '@catchment/contracts/ingest';
import { NotifyOn } from '@catchment/contracts/ingest';
import { type Alarm, type AlarmTrigger, changeAlarm } from './alarm.ts';
import type { Node } from './node.ts';

/** Alarms of data sources that follow from what their acquisitions left out (semantics 9.4). */
export const LEFT_OUT_ALARMS = ['dataAlarm', 'overloadAlarm'] as const;
export type LeftOutAlarm = (typeof LEFT_OUT_ALARMS)[number];

export type LeftOutNews = {
  readonly type: LeftOutAlarm;
  readonly alarm: Alarm;
  readonly eventState: 'ACTIVE' | 'CLEARED' | 'NONE';
  readonly message: string;
};

const DAY_MS = 86_400_000;
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Whether an acquisition left records out at all. */
export const isFaulty = ({ excluded, dropped }: Pick<Acquisition, 'excluded' | 'dropped'>): boolean =>
  excluded > 0 || dropped > 0;

/** What one acquisition does to one of the alarms; undefined for nothing. */
export function leftOutNews(
  type: LeftOutAlarm,
  before: Alarm,
  node: Pick<Node, 'hasDataAlarm'>,
  acquisition: Pick<Acquisition, 'excluded' | 'dropped' | 'timeMs' | 'notifyOn'>,
): LeftOutNews | undefined {
  const [trigger, message] =
    type === 'dataAlarm' ? dataTrigger(node, acquisition) : overloadTrigger(before, acquisition);
  if (!trigger) return undefined;
  const { alarm, eventState } = changeAlarm(before, trigger);
  return alarm === before ? undefined : { type, alarm, eventState: eventState as LeftOutNews['eventState'], message };
}

type Triggered = readonly [AlarmTrigger | undefined, string];

/** Not driven by writes that notify nobody. */
function dataTrigger(
  { hasDataAlarm }: Pick<Node, 'hasDataAlarm'>,
  { excluded, timeMs, notifyOn }: Pick<Acquisition, 'excluded' | 'timeMs' | 'notifyOn'>,
): Triggered {
  if (notifyOn === NotifyOn.NOTIFY_ON_NONE) return [undefined, ''];
  if (excluded === 0 || !hasDataAlarm) return [{ kind: 'clear' }, 'Data valid'];
  const message = `Data invalid: ${excluded} ${excluded === 1 ? 'record' : 'records'} outside of the accepted time`;
  return [raised(message, timeMs), message];
}

/** Cleared by an acquisition that drops nothing, on the day after at the earliest. */
function overloadTrigger(before: Alarm, { dropped, timeMs }: Pick<Acquisition, 'dropped' | 'timeMs'>): Triggered {
  if (dropped > 0) {
    const message = `Overload: ${dropped} records discarded`;
    return [raised(message, timeMs), message];
  }
  const isOver = before.activeTimeMs === null || dayOf(timeMs) > dayOf(before.activeTimeMs);
  return [isOver ? { kind: 'clear' } : undefined, 'Overload cleared'];
}

const raised = (message: string, timeMs: number): AlarmTrigger => ({
  kind: 'raise',
  cause: { message, categoryId: null },
  escalates: false,
  timeMs,
});
