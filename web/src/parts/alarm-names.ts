import type { Alarm } from '../data/alarms.ts';
import { words } from '../words/index.ts';

/** Path of an alarm's node in parts: the account is known, and the last is the node. */
export function placeOf({ path }: Pick<Alarm, 'path'>): { readonly name: string; readonly place: string } {
  const parts = path.split('/').filter(Boolean);
  return { name: parts.at(-1) ?? path, place: parts.slice(1, -1).join(' / ') };
}

export const typeText = (type: string): string => words.value.alarms.types[type] ?? type;

/** docs/reference/alarms.md */
export const ALARM_TYPES = [
  'stateAlarm',
  'qualityAlarm',
  'outdatedAlarm',
  'communicationsAlarm',
  'dataAlarm',
  'processAlarm',
  'controlAlarm',
  'configurationAlarm',
  'overloadAlarm',
] as const;
