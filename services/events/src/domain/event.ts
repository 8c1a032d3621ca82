import { invalid } from '@catchment/errors';
import { isObjectId, onOneLine } from '@catchment/ids';
import { ALARM_TYPES, EVENT_ALARM_STATES, EVENT_LEVELS, EVENT_MESSAGE_MAX, EVENT_TYPES } from '@catchment/query';
import { isInstantMs } from '@catchment/time';

/** An event log entry. An account event has empty ids and an empty class. Times are Unix ms. */
export type Event = {
  readonly eventId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly nodeId: string;
  /** The class has no prefix of the installation. */
  readonly nodeClass: string;
  readonly level: string;
  readonly eventType: string;
  readonly alarmState: string;
  readonly timeMs: number;
  readonly username: string;
  readonly message: string;
  /** Its alarm; absent or empty = none. */
  readonly alarmType?: string | undefined;
};

/**
 * Returns the event as it is kept: message truncated at 500 characters, texts without what a database cannot hold.
 * @throws DomainError invalid_argument for an event that no service should make
 */
export function checkedEvent(event: Event): Event {
  const check = (holds: boolean, field: string, rule: string) => {
    if (!holds) throw invalid('INVALID_EVENT', `${field}: must be ${rule}`);
  };
  const isIdOrEmpty = (text: string) => text === '' || isObjectId(text);
  check(isObjectId(event.eventId), 'event_id', 'an ObjectId');
  check(isObjectId(event.ownerId), 'owner_id', 'an ObjectId');
  check(isIdOrEmpty(event.workspaceId), 'workspace_id', 'an ObjectId or empty');
  check(isIdOrEmpty(event.nodeId), 'node_id', 'an ObjectId or empty');
  check(includes(EVENT_LEVELS, event.level), 'level', `one of ${EVENT_LEVELS.join(', ')}`);
  check(includes(EVENT_TYPES, event.eventType), 'event_type', `one of ${EVENT_TYPES.join(', ')}`);
  check(includes(EVENT_ALARM_STATES, event.alarmState), 'alarm_state', `one of ${EVENT_ALARM_STATES.join(', ')}`);
  const { alarmType = '' } = event;
  check(
    alarmType === '' || includes(ALARM_TYPES, alarmType),
    'alarm_type',
    `one of ${ALARM_TYPES.join(', ')}, or empty`,
  );
  check(isInstantMs(event.timeMs), 'time_ms', 'whole Unix milliseconds in the years 1800-9998');
  const message = cut(onOneLine(event.message), EVENT_MESSAGE_MAX);
  check(message !== '', 'message', 'a text');
  return { ...event, message, username: onOneLine(event.username), nodeClass: onOneLine(event.nodeClass) };
}

const includes = (list: readonly string[], text: string): boolean => list.includes(text);

/** Counts code points; a text with few UTF-16 units needs no count. */
const cut = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text.slice(0, characters * 2)].slice(0, characters).join('');
