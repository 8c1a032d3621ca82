import type { AttrSelector, ScalarColumn, TimeColumn } from '@catchment/query';

type EventColumn = (ScalarColumn | TimeColumn) & {
  /** Shown only where `attr` names it. */
  readonly isAsked?: true;
  /** Some events do not have it. */
  readonly isOptional?: true;
  /** One of our own names: nothing in it is to be escaped. */
  readonly isWord?: true;
};

export type EventColumns = Readonly<Record<string, EventColumn>>;

/**
 * Finds when the alarm that the event has raised was cleared, or raised anew: the next event of the same alarm says either. Each event
 * that raises costs a look into the index events_of_alarms (migration 0008).
 */
const ALARM_END = `(CASE WHEN alarm_state = 'ACTIVE' AND alarm_type IS NOT NULL THEN (
  SELECT later.event_time FROM events later
  WHERE later.node_id = events.node_id AND later.alarm_type = events.alarm_type AND later.owner_id = events.owner_id
    AND later.alarm_state IN ('ACTIVE', 'CLEARED') AND later.event_time >= events.event_time
    AND (later.event_time > events.event_time OR later.position > events.position)
  ORDER BY later.event_time, later.position LIMIT 1) END)`;

/** Returns the attributes of an event, as they are shown, filtered and sorted by (docs/reference/events.md#fields). */
export function eventColumns(classNamespace: string): EventColumns {
  // The namespace is checked by the configuration: names and dots only.
  const prefix = `${classNamespace}.models`;
  return {
    _class: { type: 'string', sql: `'${prefix}.event.Event'`, isWord: true },
    _id: { type: 'objectId', sql: 'event_id' },
    level: { type: 'string', sql: 'level', isWord: true },
    eventTime: { type: 'time', sql: 'event_time', filterable: false },
    eventType: { type: 'string', sql: 'event_type', isWord: true },
    message: { type: 'string', sql: 'message' },
    alarmState: { type: 'string', sql: 'alarm_state', isWord: true },
    nodeId: { type: 'objectId', sql: 'node_id', isNodeId: true, isOptional: true },
    nodeType: { type: 'string', sql: `('${prefix}.node.' || node_class)`, isOptional: true },
    workspaceId: { type: 'objectId', sql: 'workspace_id', isNodeId: true, isOptional: true },
    ownerId: { type: 'objectId', sql: 'owner_id' },
    username: { type: 'string', sql: 'username' },
    alarmType: { type: 'string', sql: 'alarm_type', isWord: true, isOptional: true, isAsked: true },
    alarmEndTime: { type: 'time', sql: ALARM_END, filterable: false, sortable: false, isOptional: true, isAsked: true },
  };
}

/**
 * Returns SQL of the JSON text of an event: the database makes it, since ten thousand events are one answer. Fields that an event does not
 * have are left out. It is one `concat` of all pieces: each text that PostgreSQL makes on the way is copied into the next one.
 * @param attr in this order, and these only
 */
export function eventText(columns: EventColumns, attr: AttrSelector | undefined): string {
  const names = attr
    ? [...attr].filter(([, inner]) => inner === null).map(([name]) => name)
    : Object.keys(columns).filter((name) => !columns[name]?.isAsked);
  const members = names.flatMap((name) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return column ? [{ name, column }] : [];
  });
  const [first, ...others] = members;
  if (!first) return `'{}'`;
  const rest = others.flatMap(({ name, column }) => piecesOf(`,"${name}":`, column));
  // Nobody knows which member has no comma before it where the first one may be absent.
  return first.column.isOptional
    ? `'{' || substr(${concatOf([...piecesOf(`,"${first.name}":`, first.column), ...rest])}, 2) || '}'`
    : concatOf([{ text: '{' }, ...piecesOf(`"${first.name}":`, first.column), ...rest, { text: '}' }]);
}

/** The text as it stands, or SQL. */
type Piece = { readonly text: string } | { readonly sql: string };

const literal = (text: string): string => `'${text}'`;

/** Returns a member with what is before its value; nothing at all where an optional one is absent. */
function piecesOf(before: string, column: EventColumn): Piece[] {
  const [open, value, close] = jsonOf(column);
  if (column.isOptional)
    return [{ sql: [literal(before + open), value, ...(close ? [literal(close)] : [])].join(' || ') }];
  return [{ text: before + open }, { sql: value }, { text: close }];
}

function concatOf(pieces: readonly Piece[]): string {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if ('text' in piece && last && 'text' in last) joined[joined.length - 1] = { text: last.text + piece.text };
    else joined.push(piece);
  }
  return `concat(${joined.map((piece) => ('text' in piece ? literal(piece.text) : piece.sql)).join(', ')})`;
}

/** Returns the JSON of a column: SQL between two texts. */
function jsonOf({ type, sql, isWord }: EventColumn): readonly [open: string, sql: string, close: string] {
  if (type === 'time') return ['"', `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`, '"'];
  return type === 'objectId' || isWord ? ['"', sql, '"'] : ['', `to_json((${sql})::text)`, ''];
}
