import { EVENT_MESSAGE_MAX } from '@catchment/query';
import {
  type Fields,
  invalidAttribute,
  type JsonObject,
  NO_CONTEXT,
  type Rule,
  readObject,
} from '../../domain/body/rule.ts';
import { lines, text } from '../../domain/body/rules.ts';
import { CHANNELS, type ChannelName } from './channel-name.ts';

/** Somebody writes this message to people (docs/reference/notifications.md#messages-by-hand). */
export type WrittenMessage = {
  /** Users are named by id or e-mail. */
  readonly users: readonly string[];
  /** Groups are named by id or name. */
  readonly groups: readonly string[];
  /** Empty = from the text. */
  readonly subject: string;
  /** May hold expressions. */
  readonly message: string;
  readonly channels: readonly ChannelName[];
};

const NAMES: Rule = { kind: 'list', max: 1_000, item: text(300, 1) };

export const WRITTEN_MESSAGE: Fields = {
  users: { rule: NAMES, default: [] },
  groups: { rule: NAMES, default: [] },
  subject: { rule: text(100), default: '' },
  message: { rule: lines(EVENT_MESSAGE_MAX, 1), required: true },
  channels: { rule: { kind: 'list', min: 1, max: 10, item: { kind: 'choice', of: CHANNELS } }, default: ['email'] },
};

/** This text is looked at before it is sent (docs/reference/notifications.md#previews). */
export type PreviewedMessage = Pick<WrittenMessage, 'message'> & {
  /** The text enters the state with this name; empty = the state that the node is in. */
  readonly state: string;
};

export const PREVIEWED_MESSAGE: Fields = { message: WRITTEN_MESSAGE.message!, state: { rule: text(60), default: '' } };

/** @throws DomainError invalid_argument naming the attribute */
export const readPreviewed = (body: JsonObject): PreviewedMessage =>
  readObject(PREVIEWED_MESSAGE, body, '', NO_CONTEXT) as PreviewedMessage;

/** @throws DomainError invalid_argument naming the attribute */
export function readMessage({ message, ...rest }: JsonObject): WrittenMessage {
  const given = { ...rest, message: typeof message === 'string' ? message.trim() : message };
  const read = readObject(WRITTEN_MESSAGE, given, '', NO_CONTEXT) as WrittenMessage;
  if (read.users.length + read.groups.length === 0) throw invalidAttribute('users', 'or groups must name somebody');
  return { ...read, channels: [...new Set(read.channels)] };
}
