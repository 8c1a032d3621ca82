import { countOf } from '@catchment/number-format';
import { EVENT_MESSAGE_MAX } from '@catchment/query';
import type { Alarm } from '../alarm.ts';
import type { Attempted } from './attempt.ts';
import { type Finding, OVER, raised } from './finding.ts';

/** An acquisition leaves out rows, or cannot read some. */
export type Acquired = {
  readonly kind: 'acquisition';
  readonly timeMs: number;
  readonly excluded: number;
  readonly dropped: number;
  /** The fault of a file; empty = none. */
  readonly fault: string;
  /** It goes on with an acquisition that has begun before. */
  readonly continues: boolean;
  /** It reached the source itself, not only one of its parameters. */
  readonly isSource: boolean;
  /** It notifies nobody. */
  readonly isSilent: boolean;
};

const DAY_MS = 86_400_000;
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Returns whether an acquisition left records out at all, or is reported to be at fault. */
export const isFaulty = ({ excluded, dropped, fault }: Pick<Acquired, 'excluded' | 'dropped' | 'fault'>): boolean =>
  excluded > 0 || dropped > 0 || fault !== '';

/** Writes that notify nobody do not drive it. */
export function dataFinding({ excluded, isSilent, fault, continues }: Acquired): Finding | undefined {
  if (isSilent) return undefined;
  const isFault = excluded > 0 || fault !== '';
  if (!isFault) return continues ? undefined : OVER;
  const records = `${countOf(excluded, 'record')} outside of the accepted time`;
  return raised(`Data invalid: ${fault || records}`.slice(0, EVENT_MESSAGE_MAX));
}

/** An acquisition that drops nothing clears it, on the day after at the earliest. */
export function overloadFinding({ dropped, timeMs, fault }: Acquired, before: Alarm): Finding | undefined {
  // It says nothing of what a source has brought.
  if (fault !== '') return undefined;
  return dropped > 0 ? raised(`Overload: ${dropped} records discarded`) : overOnNextDay(timeMs, before);
}

/** Files of an attachment source follow the same rule. */
export const filesFinding = ({ failure, timeMs }: Attempted<'files'>, before: Alarm): Finding | undefined =>
  failure === '' ? overOnNextDay(timeMs, before) : raised(`Overload: ${failure}`);

const overOnNextDay = (timeMs: number, { activeTimeMs }: Alarm): Finding | undefined =>
  activeTimeMs === null || dayOf(timeMs) > dayOf(activeTimeMs) ? OVER : undefined;

/** Data that reach a source have got through, whatever they contain. */
export const arrivalFinding = ({ isSource }: Acquired): Finding | undefined => (isSource ? OVER : undefined);
