import type { Alarm } from '../data/alarms/alarms.ts';
import type { AlarmType } from '../words/en/alarm-types.ts';
import { words } from '../words/index.ts';

/** Splits the path of an alarm's node: the account is known, and the last is the node. */
export function placeOf({ path }: Pick<Alarm, 'path'>): { readonly name: string; readonly place: string } {
  const parts = path.split('/').filter(Boolean);
  return { name: parts.at(-1) ?? path, place: parts.slice(1, -1).join(' / ') };
}

const isKnown = (type: string): type is AlarmType => Object.hasOwn(words.value.alarms.types, type);

export const typeText = (type: string): string => (isKnown(type) ? words.value.alarms.types[type].name : type);
/** Says what raises and clears alarms of this type. */
export const raisedText = (type: string): string => (isKnown(type) ? words.value.alarms.types[type].raised : '');

/** Lists every type, in the order in which filters show them. */
export const alarmTypes = (): readonly AlarmType[] => Object.keys(words.value.alarms.types).filter(isKnown);
