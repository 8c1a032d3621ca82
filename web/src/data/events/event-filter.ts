import type { Event } from '@catchment/client';

export type LogEvent = Event & {
  readonly _id: string;
  readonly eventTime: string;
  readonly level: string;
  readonly eventType: string;
  readonly alarmState?: string;
  readonly nodeId?: string;
  readonly username?: string;
  readonly message: string;
};
export type EventFilter = {
  /** Names the node whose events are shown; absent: those of the account. */
  readonly nodeId?: string | undefined;
  readonly levels: readonly string[];
  readonly types: readonly string[];
  /** True for events alone that raise, acknowledge or clear an alarm. */
  readonly ofAlarms?: boolean;
};

/** The levels are in their order, the last is the worst (docs/reference/events.md). */
export const LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
export const TYPES = ['ACQUISITION', 'CONFIGURATION', 'STATE', 'NOTIFICATION', 'CONTROL', 'SECURITY'] as const;

/** Returns whether an event belongs into a list; the stream brings those of the whole account. */
export function belongs(event: LogEvent, { nodeId, levels, types, ofAlarms }: EventFilter): boolean {
  return (
    (nodeId === undefined || event.nodeId === nodeId) &&
    (levels.length === 0 || levels.includes(event.level)) &&
    (types.length === 0 || types.includes(event.eventType)) &&
    (!ofAlarms || (event.alarmState ?? 'NONE') !== 'NONE')
  );
}

/** Writes the criteria in the API's grammar: one alternative for each level and type. */
export function criteriaOf({ levels, types, ofAlarms }: EventFilter): string {
  const some = (name: string, values: readonly string[]) =>
    values.length === 0 ? [''] : values.map((value) => `${name}($eq:${value})`);
  const alarms = ofAlarms ? ['alarmState($ne:NONE)'] : [''];
  return some('level', levels)
    .flatMap((level) => some('eventType', types).flatMap((type) => alarms.map((alarm) => [level, type, alarm])))
    .map((parts) => parts.filter(Boolean).join(','))
    .filter(Boolean)
    .join('|');
}

/** Joins a list and its next page: each event once, in the order of time; those of one instant in the order of the server. */
export function merged(list: readonly LogEvent[], more: readonly LogEvent[]): readonly LogEvent[] {
  const known = new Set(list.map(({ _id }) => _id));
  const added = more.filter(({ _id }) => !known.has(_id));
  if (added.length === 0) return list;
  return [...list, ...added].sort((a, b) =>
    a.eventTime === b.eventTime ? (a._id < b._id ? -1 : 1) : a.eventTime < b.eventTime ? 1 : -1,
  );
}
