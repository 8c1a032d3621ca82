import { countOf } from '@catchment/number-format';
import type { Alarm } from '../alarm.ts';
import type { Node } from '../node.ts';
import { shownMessage } from './custom-message.ts';
import { type Finding, raised } from './finding.ts';

/** A source was looked at (docs/reference/alarms.md#outdated-data). */
export type Looked = {
  readonly kind: 'looked';
  readonly timeMs: number;
  /** The source has brought nothing for this time, or had brought nothing before it was fresh again. */
  readonly quietMs: number;
  readonly isOutdated: boolean;
};

export function outdatedFinding({ quietMs, isOutdated }: Looked, _before: Alarm, node: Node): Finding {
  const duration = durationText(quietMs);
  if (!isOutdated) return { kind: 'over', message: `Up to date after ${duration}` };
  const usual = `No new data received for ${duration}`;
  return raised(usual, shownMessage(node.alarms.get('outdatedAlarm')?.messageAway ?? '', usual));
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `1 day 2 hours 3 minutes`; seconds only below an hour, units of zero left out. */
export function durationText(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1_000));
  const words: string[] = [];
  const add = (count: number, unit: string) => count > 0 && words.push(countOf(count, unit));
  const isShort = rest < 3_600;
  for (const [unit, seconds] of UNITS) {
    add(Math.floor(rest / seconds), unit);
    rest %= seconds;
  }
  if (isShort) add(rest, 'second');
  return words.join(' ') || '0 seconds';
}
