import { type EffectiveZone, formatTime } from '@catchment/time';
import type { Reader } from './reader.ts';

const CUSTOM_MAX = 500;
const SUBJECT_MAX = 100;

/** What a notification tells, before it is put into the words of one person. */
export type Notice = {
  readonly accountName: string;
  readonly nodeName: string;
  /** docs/reference/node-tree.md#common-attributes */
  readonly path: string;
  readonly timeMs: number;
  /** Formatted; empty = there is none, or it is not known. */
  readonly value: string;
  readonly units: string;
  /** Name of the state that was entered; empty where the notification is about something else. */
  readonly stateName: string;
  /** Name of the quality of the record; empty = none. */
  readonly quality: string;
  readonly categoryName: string;
  /** Text of the event; the usual text of alarms. */
  readonly eventText: string;
};

/** Subject and text of a notification, and the lines below it (docs/reference/notifications.md#recipients-and-content). */
export type NoticeText = {
  readonly subject: string;
  readonly text: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
};

/** @param custom the custom text, evaluated; empty = the usual one */
export function noticeText(notice: Notice, custom: string, { zone, timeFormat }: Reader): NoticeText {
  const { nodeName, stateName, path, quality, categoryName, timeMs } = notice;
  const own = [...custom].slice(0, CUSTOM_MAX).join('');
  const time = formatTime(timeMs, timeFormat, zone);
  const value = [notice.value, notice.units].filter((part) => part !== '' && notice.value !== '').join(' ');
  const usual = stateName === '' ? notice.eventText : `${nodeName} is ${stateName}${value && `: ${value}`} at ${time}`;
  const short = own || (stateName === '' ? notice.eventText : `${stateName}${value && `, ${value}`}`);
  return {
    subject: `[${notice.accountName}] ${nodeName}: ${[...short].slice(0, SUBJECT_MAX).join('')}`,
    text: own || usual,
    facts: (
      [
        ['Node', path],
        ['Time', `${time} (${zoneName(zone)})`],
        ['Value', value],
        ['State', stateName],
        ['Quality', quality],
        ['Category', categoryName],
      ] as const
    ).filter(([, fact]) => fact !== ''),
  };
}

const zoneName = ({ name }: EffectiveZone): string => name;
