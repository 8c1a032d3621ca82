import { EVENT_MESSAGE_MAX } from '@catchment/query';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';
import { MAX_USERS_PER_LIST } from '../../people/index.ts';
import { CHANNELS, type ChannelName } from './channel-name.ts';

/** A message that somebody writes to people (docs/reference/notifications.md#messages-by-hand). */
export type WrittenMessage = {
  /** By id or e-mail, and the name of the attribute. */
  readonly users: readonly Named[];
  /** By id or name. */
  readonly groups: readonly Named[];
  /** Empty = from the text. */
  readonly subject: string;
  /** May hold expressions. */
  readonly message: string;
  readonly channels: readonly ChannelName[];
};
export type Named = { readonly at: string; readonly name: string };

const SUBJECT = { kind: 'text', max: 100 } as const;
const MESSAGE = { kind: 'text', min: 1, max: EVENT_MESSAGE_MAX, lines: true } as const;

/** @throws DomainError invalid_argument naming the attribute */
export function readMessage({ subject = '', message, users, groups, channels }: JsonObject): WrittenMessage {
  const read = {
    users: readNames('users', users, 'must be the e-mail or the id of a user'),
    groups: readNames('groups', groups, 'must be the name or the id of a group'),
    subject: readText(SUBJECT, subject, 'subject'),
    message: readText(MESSAGE, message, 'message'),
    channels: readChannels(channels),
  };
  if (read.users.length + read.groups.length === 0) throw invalidAttribute('users', 'or groups must name somebody');
  return read;
}

function readNames(attribute: string, value: unknown, rule: string): Named[] {
  return readList(attribute, value).map((name, index) => {
    const at = `${attribute}[${index}]`;
    if (typeof name !== 'string' || name.trim() === '' || name.length > 300) throw invalidAttribute(at, rule);
    return { at, name: name.trim() };
  });
}

function readChannels(value: unknown): ChannelName[] {
  const given = readList('channels', value).map((one, index) => {
    const known = CHANNELS.find((name) => name === one);
    if (!known) throw invalidAttribute(`channels[${index}]`, `must be one of ${CHANNELS.join(', ')}`);
    return known;
  });
  return given.length === 0 ? ['email'] : [...new Set(given)];
}

function readList(attribute: string, value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidAttribute(attribute, 'must be an array');
  if (value.length > MAX_USERS_PER_LIST)
    throw invalidAttribute(attribute, `must have at most ${MAX_USERS_PER_LIST} entries`);
  return value;
}
