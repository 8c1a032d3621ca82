import type { Acquisition } from '@catchment/contracts/ingest';
import { NotifyOn } from '@catchment/contracts/ingest';
import { type Alarm, type AlarmTrigger, changeAlarm } from './alarm.ts';
import type { Node } from './node.ts';

/** Alarms of data sources that follow from what their acquisitions left out, or could not read (docs/reference/alarms.md#conditions). */
export const LEFT_OUT_ALARMS = ['dataAlarm', 'overloadAlarm'] as const;
export type LeftOutAlarm = (typeof LEFT_OUT_ALARMS)[number];

export type LeftOutNews = {
  readonly type: LeftOutAlarm;
  readonly alarm: Alarm;
  readonly eventState: 'ACTIVE' | 'CLEARED' | 'NONE';
  readonly message: string;
};

const DAY_MS = 86_400_000;
/** Of an event (docs/reference/limits.md). */
const MESSAGE_CHARACTERS = 500;
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Whether an acquisition left records out at all, or is told to be at fault. */
export const isFaulty = ({ excluded, dropped, fault }: Pick<Acquisition, 'excluded' | 'dropped' | 'fault'>): boolean =>
  excluded > 0 || dropped > 0 || fault !== '';

/** What one acquisition does to one of the alarms; undefined for nothing. */
export function leftOutNews(
  type: LeftOutAlarm,
  before: Alarm,
  node: Pick<Node, 'hasDataAlarm'>,
  acquisition: Pick<Acquisition, 'excluded' | 'dropped' | 'timeMs' | 'notifyOn' | 'fault' | 'continues'>,
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
  acquisition: Pick<Acquisition, 'excluded' | 'timeMs' | 'notifyOn' | 'fault' | 'continues'>,
): Triggered {
  const { excluded, timeMs, notifyOn, fault, continues } = acquisition;
  if (notifyOn === NotifyOn.NOTIFY_ON_NONE) return [undefined, ''];
  const isFault = excluded > 0 || fault !== '';
  if (!isFault && continues) return [undefined, ''];
  if (!isFault || !hasDataAlarm) return [{ kind: 'clear' }, 'Data valid'];
  const records = `${excluded} ${excluded === 1 ? 'record' : 'records'} outside of the accepted time`;
  const message = `Data invalid: ${fault || records}`.slice(0, MESSAGE_CHARACTERS);
  return [raised(message, timeMs), message];
}

/** Cleared by an acquisition that drops nothing, on the day after at the earliest. */
function overloadTrigger(
  before: Alarm,
  { dropped, timeMs, fault }: Pick<Acquisition, 'dropped' | 'timeMs' | 'fault'>,
): Triggered {
  // It says nothing of what a source has brought.
  if (fault !== '') return [undefined, ''];
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
