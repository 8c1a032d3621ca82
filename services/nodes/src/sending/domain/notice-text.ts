import { EVENT_MESSAGE_MAX } from '@catchment/query';
import { type EffectiveZone, formatTime } from '@catchment/time';
import type { Reader } from '../../views/index.ts';
import { cutToOneSms } from './sms-text.ts';

const SUBJECT_MAX = 100;

/** A notification has this content, before it is put into the words of one person. */
export type Notice = {
  readonly accountName: string;
  /** Addresses of pages have this slug of the account. */
  readonly accountSlug: string;
  readonly nodeName: string;
  /** The nearest Location; empty = none. */
  readonly locationName: string;
  /** docs/reference/node-tree.md#common-attributes */
  readonly path: string;
  readonly timeMs: number;
  /** Formatted; empty = there is none, or it is not known. */
  readonly value: string;
  readonly units: string;
  /** The state with this name was entered; empty where the notification is about something else. */
  readonly stateName: string;
  /** The record's quality; empty = none. */
  readonly quality: string;
  readonly categoryName: string;
  /** The event's text; alarms send it unless they have their own. */
  readonly eventText: string;
  /** Somebody gave this subject to a message; empty = what is usual. */
  readonly subject: string;
  /** This person has written the message; empty = nobody. */
  readonly from: string;
};

/** A notification has a subject, a text and lines below it (docs/reference/notifications.md#recipients-and-content). */
type NoticeText = {
  readonly subject: string;
  readonly text: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
};

/** @param custom the custom text, evaluated; empty = the usual one */
export function noticeText(notice: Notice, custom: string, { zone, timeFormat }: Reader): NoticeText {
  const { nodeName, stateName, path, quality, categoryName, timeMs } = notice;
  // A mail is read in another place, and on another day: its times say whose they are.
  const time = `${formatTime(timeMs, timeFormat, zone)} (${zoneName(zone)})`;
  const value = amountOf(notice);
  const short =
    truncated(custom, EVENT_MESSAGE_MAX) ||
    (stateName === '' ? notice.eventText : `${stateName}${value && `, ${value}`}`);
  return {
    subject: `[${notice.accountName}] ${truncated(notice.subject, SUBJECT_MAX) || `${nodeName}: ${truncated(short, SUBJECT_MAX)}`}`,
    text: textOf(notice, custom, time),
    facts: (
      [
        ['From', notice.from],
        ['Node', path],
        ['Time', time],
        ['Value', value],
        ['State', stateName],
        ['Quality', quality],
        ['Category', categoryName],
      ] as const
    ).filter(([, fact]) => fact !== ''),
  };
}

/** Returns the same as one SMS, which has no room for the zone. */
export function smsText(notice: Notice, custom: string, { zone, timeFormat }: Reader): string {
  const { accountName, locationName, nodeName, timeMs } = notice;
  const where = locationName === '' ? nodeName : `${locationName}/${nodeName}`;
  const time = formatTime(timeMs, timeFormat, zone);
  return cutToOneSms(`${accountName} ${where}: ${textOf(notice, custom, time)} @ ${time}`);
}

function textOf(notice: Notice, custom: string, time: string): string {
  const { nodeName, stateName, eventText } = notice;
  const value = amountOf(notice);
  const usual = stateName === '' ? eventText : `${nodeName} is ${stateName}${value && `: ${value}`} at ${time}`;
  return truncated(custom, EVENT_MESSAGE_MAX) || usual;
}

const amountOf = ({ value, units }: Notice): string =>
  [value, units].filter((part) => part !== '' && value !== '').join(' ');
const truncated = (text: string, max: number): string => [...text].slice(0, max).join('');
const zoneName = ({ name }: EffectiveZone): string => name;
