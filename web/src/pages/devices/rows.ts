import type { Alarm } from '../../data/alarms/alarms.ts';
import type { Readings } from '../../data/sources/device-list.ts';
import type { Device } from '../../data/sources/devices.ts';
import type { Source } from '../../data/sources/sources.ts';
import { transportOf } from '../../data/sources/transport-of.ts';

/** A device has here what else is known of it. */
export type DeviceRow = {
  readonly device: Device;
  /** The oldest of its sources. */
  readonly source: Source | undefined;
  readonly sourceCount: number;
  readonly readings: Readings;
  readonly config: ConfigState;
};

/** The configuration has come this far; `none` where there is none. */
export type ConfigState = 'confirmed' | 'pending' | 'sent' | 'refused' | 'none';

/** @param refusal the device has refused a configuration, as the alarm of its oldest source reports it */
export function configState({ config, isOutOfDate, isConnected }: Device, refusal: Alarm | undefined): ConfigState {
  // A list has no configurations, only if they are confirmed.
  if (isOutOfDate === undefined && config === undefined) return 'none';
  if (isOutOfDate !== true) return 'confirmed';
  if (refusal !== undefined) return 'refused';
  return isConnected ? 'sent' : 'pending';
}

/** These alarms say that a source fails, in the order in which they are shown. */
const FAILURES = ['communicationsAlarm', 'configurationAlarm', 'dataAlarm', 'processAlarm', 'overloadAlarm'];
export type SourceState = 'disabled' | 'failing' | 'silent' | 'unheard' | 'fine';
export const SOURCE_STATES = ['failing', 'silent', 'unheard', 'fine', 'disabled'] as const;

export type JudgedSource = {
  readonly source: Source;
  readonly state: SourceState;
  /** The newest problem. */
  readonly problem: Alarm | undefined;
};

/** Each source is in one state: the worst of those that hold. @param alarms of it */
export function judged(source: Source, alarms: readonly Alarm[]): JudgedSource {
  const failure = newest(alarms.filter(({ alarmType }) => FAILURES.includes(alarmType)));
  const silence = alarms.find(({ alarmType }) => alarmType === 'outdatedAlarm');
  const problem = failure ?? silence;
  if (source.isEnabled === false) return { source, state: 'disabled', problem: undefined };
  if (failure !== undefined || source.currentStatus === 'FAILED') return { source, state: 'failing', problem };
  if (silence !== undefined) return { source, state: 'silent', problem };
  return { source, state: source.lastCommsSuccess ? 'fine' : 'unheard', problem };
}

const newest = (alarms: readonly Alarm[]): Alarm | undefined =>
  alarms.reduce<Alarm | undefined>(
    (best, alarm) => (best === undefined || (alarm.activeTime ?? '') > (best.activeTime ?? '') ? alarm : best),
    undefined,
  );

/** Data come by this way, over all its sources. */
export type WayRow = {
  /** The way is `Scout`, `Mqtt`, …; `None` of sources that are written to. */
  readonly way: string;
  readonly sources: readonly JudgedSource[];
  readonly counts: Readonly<Record<SourceState, number>>;
  readonly lastSuccess: string | null;
  readonly lastProblem: JudgedSource | undefined;
};

/** Ways with the most that is wrong come first. */
export function waysOf(sources: readonly Source[], alarms: ReadonlyMap<string, readonly Alarm[]>): readonly WayRow[] {
  const byWay = Map.groupBy(
    sources.map((source) => judged(source, alarms.get(source._id) ?? [])),
    ({ source }) => transportOf(source),
  );
  const rows = [...byWay].map(([way, sources]): WayRow => {
    const counts = { disabled: 0, failing: 0, silent: 0, unheard: 0, fine: 0 };
    let lastSuccess: string | null = null;
    let lastProblem: JudgedSource | undefined;
    for (const judged of sources) {
      counts[judged.state] += 1;
      const { lastCommsSuccess: time } = judged.source;
      if (time && (lastSuccess === null || time > lastSuccess)) lastSuccess = time;
      const isNewer = (judged.problem?.activeTime ?? '') > (lastProblem?.problem?.activeTime ?? '');
      if (judged.problem && (lastProblem === undefined || isNewer)) lastProblem = judged;
    }
    return { way, sources, counts, lastSuccess, lastProblem };
  });
  const wrong = ({ counts }: WayRow) => counts.failing + counts.silent;
  return rows.sort((a, b) => wrong(b) - wrong(a) || b.sources.length - a.sources.length || (a.way < b.way ? -1 : 1));
}

export type Shown = 'all' | 'connected' | 'away' | 'free' | 'outOfDate';
export const SHOWN = ['all', 'connected', 'away', 'free', 'outOfDate'] as const;

/** Returns whether a device is one of those that are asked for. */
export function isShownIn(shown: Shown, { device, config }: DeviceRow): boolean {
  switch (shown) {
    case 'connected':
      return device.isConnected;
    case 'away':
      return !device.isConnected;
    case 'free':
      return device.datasourceId === undefined;
    case 'outOfDate':
      return config === 'pending' || config === 'sent' || config === 'refused';
    default:
      return true;
  }
}

/** Returns the newest sign of life: a connection, a status, or data. */
export function lastContactOf({ device, readings, source }: DeviceRow): string | null {
  const times = [device.lastConnected, readings.time, source?.lastCommsSuccess].filter(
    (text) => typeof text === 'string',
  );
  return times.sort().at(-1) ?? null;
}

/** The check digit of an IMEI fits (Luhn). */
export function isImei(text: string): boolean {
  if (!/^\d{15}$/.test(text)) return false;
  const sum = [...text].reduce((total, sign, i) => {
    const digit = Number(sign) * (i % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
