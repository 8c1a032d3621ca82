import type { AttrSelector, ScalarColumn, TimeColumn } from '@catchment/query';

/** `isAsked`: shown only where `attr` names it. */
export type EventColumns = Readonly<Record<string, (ScalarColumn | TimeColumn) & { readonly isAsked?: true }>>;

/**
 * When what the event has raised was cleared, or raised anew: the next event of the same alarm that says either. A look into the index
 * events_of_alarms (migration 0008) for each event that raises.
 */
const ALARM_END = `(CASE WHEN alarm_state = 'ACTIVE' AND alarm_type IS NOT NULL THEN (
  SELECT later.event_time FROM events later
  WHERE later.node_id = events.node_id AND later.alarm_type = events.alarm_type AND later.owner_id = events.owner_id
    AND later.alarm_state IN ('ACTIVE', 'CLEARED') AND later.event_time >= events.event_time
    AND (later.event_time > events.event_time OR later.position > events.position)
  ORDER BY later.event_time, later.position LIMIT 1) END)`;

/** The attributes of an event, as they are shown, filtered and sorted by (docs/reference/events.md#fields). */
export function eventColumns(classNamespace: string): EventColumns {
  // The namespace is checked by the configuration: names and dots only.
  const prefix = `${classNamespace}.models`;
  return {
    _class: { type: 'string', sql: `'${prefix}.event.Event'` },
    _id: { type: 'objectId', sql: 'event_id' },
    level: { type: 'string', sql: 'level' },
    eventTime: { type: 'time', sql: 'event_time', filterable: false },
    eventType: { type: 'string', sql: 'event_type' },
    message: { type: 'string', sql: 'message' },
    alarmState: { type: 'string', sql: 'alarm_state' },
    nodeId: { type: 'objectId', sql: 'node_id', isNodeId: true },
    nodeType: { type: 'string', sql: `('${prefix}.node.' || node_class)` },
    workspaceId: { type: 'objectId', sql: 'workspace_id', isNodeId: true },
    ownerId: { type: 'objectId', sql: 'owner_id' },
    username: { type: 'string', sql: 'username' },
    alarmType: { type: 'string', sql: 'alarm_type', isAsked: true },
    alarmEndTime: { type: 'time', sql: ALARM_END, filterable: false, sortable: false, isAsked: true },
  };
}

/**
 * SQL of the JSON text of an event: the database makes it, since ten thousand events are one answer. Fields that an
 * event does not have are left out.
 * @param attr in this order, and these only
 */
export function eventText(columns: EventColumns, attr: AttrSelector | undefined): string {
  const names = attr
    ? [...attr].filter(([, inner]) => inner === null).map(([name]) => name)
    : Object.keys(columns).filter((name) => !columns[name]?.isAsked);
  const members = names.flatMap((name) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return column ? [`',"${name}":' || ${jsonOf(column)}`] : [];
  });
  return `'{' || substr(concat('', ${members.join(', ') || 'NULL'}), 2) || '}'`;
}

function jsonOf({ type, sql }: ScalarColumn | TimeColumn): string {
  if (type === 'time') return `'"' || to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`;
  return type === 'objectId' ? `'"' || ${sql} || '"'` : `to_json((${sql})::text)::text`;
}
