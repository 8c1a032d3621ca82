import type { AcquisitionEvent, AlarmAt } from '@catchment/contracts/events';
import type { Database, Queryable } from '@catchment/pg';
import { compileFilter, compileSort, customIdsOf } from '@catchment/query';
import { formatIsoMs } from '@catchment/time';
import type { Event } from '../domain/event.ts';
import type { EventQuery } from '../domain/event-query.ts';
import type {
  ActivePeriod,
  EventList,
  EventScope,
  EventStore,
  NewlyRecorded,
  Places,
  RecordedEvent,
} from '../usecases/ports.ts';
import { type EventColumns, eventText } from './event-columns.ts';
import { acquisitionsOf } from './pg-acquisition-events.ts';
import { alarmsAt } from './pg-alarms-at.ts';
import type { PgMonths } from './pg-months.ts';

type RecordedRow = {
  event_id: string;
  time_ms: number;
  owner_id: string;
  node_id: string | null;
  position: number;
  text: string;
};

const BATCH_ROWS = 500;
/**
 * Recording takes this lock shared, forgetting takes it alone: whichever comes second sees what the first has committed,
 * so an event can not slip in beside the deletion of its node.
 */
const NODES_LOCK = `hashtext('events-nodes'), hashtext(current_schema())`;

const INSERT = `
INSERT INTO events (event_id, event_time, owner_id, workspace_id, node_id, node_class, level, event_type, alarm_state,
  username, message, alarm_type)
SELECT e.event_id, e.event_time, e.owner_id, nullif(e.workspace_id, ''), nullif(e.node_id, ''),
  nullif(e.node_class, ''), e.level, e.event_type, e.alarm_state, e.username, e.message, nullif(e.alarm_type, '')
FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::text[], $11::text[], $12::text[]) AS e(event_id, event_time, owner_id, workspace_id, node_id, node_class, level,
  event_type, alarm_state, username, message, alarm_type)
WHERE NOT EXISTS (SELECT 1 FROM deleted_nodes d WHERE d.node_id = e.node_id)
ON CONFLICT DO NOTHING`;

export class PgEventStore implements EventStore {
  readonly #database: Database;
  readonly #months: PgMonths;
  readonly #columns: EventColumns;

  constructor(database: Database, months: PgMonths, columns: EventColumns) {
    this.#database = database;
    this.#months = months;
    this.#columns = columns;
  }

  async record(events: readonly Event[]): Promise<void> {
    if (events.length > 0) await this.recordWith(events, async () => undefined);
  }

  /**
   * Stores events together with the change that they report, in one transaction. They come first: all who record events
   * and change something else wait for each other in this order.
   */
  async recordWith<T>(events: readonly Event[], change: (tx: Queryable) => Promise<T>): Promise<T> {
    await this.#months.ensure(events.map((event) => event.timeMs));
    return this.#database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock_shared(${NODES_LOCK})`);
      await insert(tx, events);
      return change(tx);
    });
  }

  async clear(event: Event): Promise<void> {
    await this.#months.ensure([event.timeMs]);
    await this.#database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock_shared(${NODES_LOCK})`);
      await tx.query('DELETE FROM events WHERE node_id = $1 AND owner_id = $2', [event.nodeId, event.ownerId]);
      await insert(tx, [event]);
    });
  }

  async forgetNodes(nodeIds: readonly string[]): Promise<void> {
    if (nodeIds.length === 0) return;
    await this.#database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(${NODES_LOCK})`);
      await tx.query('INSERT INTO deleted_nodes (node_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [nodeIds]);
      await tx.query('DELETE FROM events WHERE node_id = ANY($1::text[])', [nodeIds]);
    });
  }

  list(query: EventQuery): EventList {
    // A wrong query is refused before the nodes service is called.
    this.#compile(query, new Map());
    return {
      customIds: customIdsOf(query.filter, this.#columns),
      within: (scope) => this.#read(query, scope),
      recordedAfter: async (scope, position, limit, upTo) => {
        const { filter, params } = this.#compile(query, scope.nodeIds);
        const bind = binder(params);
        const where = [...within(scope, bind), filter];
        if (upTo !== undefined) where.push(`position <= ${bind(upTo)}`);
        return this.#readAfter(where, query.attr, position, limit, params);
      },
    };
  }

  recordedAfter(position: number, limit: number): Promise<readonly RecordedEvent[]> {
    return this.#readAfter([], undefined, position, limit, []);
  }

  alarmsAt(ownerId: string, nodeIds: readonly string[], timeMs: number): Promise<AlarmAt[]> {
    return alarmsAt(this.#database, ownerId, nodeIds, timeMs);
  }

  acquisitionsOf(ownerId: string, nodeId: string, limit: number): Promise<AcquisitionEvent[]> {
    return acquisitionsOf(this.#database, ownerId, nodeId, limit);
  }

  async lastPosition(): Promise<number> {
    const { rows } = await this.#database.query<{ position: number | null }>(
      'SELECT max(position) AS position FROM events WHERE position IS NOT NULL',
    );
    return rows[0]?.position ?? 0;
  }

  async placesAfter(ownerId: string, position: number | undefined, events: number): Promise<Places> {
    const { rows } = await this.#database.query<{ newest: number | null; highest: number; window_end: number | null }>(
      `SELECT (SELECT max(position) FROM events WHERE owner_id = $1 AND position IS NOT NULL) AS newest,
         (SELECT last_value FROM events_position) AS highest,
         (SELECT position FROM events WHERE owner_id = $1 AND position > $2 ORDER BY position OFFSET $3 LIMIT 1) AS window_end`,
      [ownerId, position ?? null, events - 1],
      'places-after',
    );
    const [row] = rows;
    return { newest: row?.newest ?? 0, highest: row?.highest ?? 0, endOfWindow: row?.window_end ?? undefined };
  }

  async accountsAfter(position: number): Promise<NewlyRecorded> {
    const { rows } = await this.#database.query<{ owner_id: string; position: number }>(
      'SELECT owner_id, max(position) AS position FROM events WHERE position > $1 GROUP BY owner_id',
      [position],
      'accounts-after',
    );
    return {
      position: rows.reduce((newest, row) => Math.max(newest, row.position), position),
      ownerIds: rows.map((row) => row.owner_id),
    };
  }

  async countActive({ ownerId, workspaceId, nodeIds, startMs, endMs }: ActivePeriod) {
    const within = workspaceId === '' ? 'node_id = ANY ($2::text[])' : 'workspace_id = $2';
    const { rows } = await this.#database.query<{ eventType: string; count: number }>(
      `SELECT event_type AS "eventType", count(*)::int AS count FROM events
       WHERE owner_id = $1 AND alarm_state = 'ACTIVE' AND ${within}
         AND event_time >= $3::timestamptz AND event_time <= $4::timestamptz
       GROUP BY event_type ORDER BY count DESC, event_type`,
      [ownerId, workspaceId || nodeIds, formatIsoMs(startMs), formatIsoMs(endMs)],
      workspaceId === '' ? 'count-active-of-nodes' : 'count-active-of-workspace',
    );
    return rows;
  }

  #compile(query: EventQuery, nodeIds: ReadonlyMap<string, string>) {
    const params: unknown[] = [];
    const filter = compileFilter(query.filter, this.#columns, params, {
      nodeIdOf: (customId, bind) => `${bind(nodeIds.get(customId) ?? null)}::text`,
    });
    const order = compileSort(query.sort, this.#columns, params, {
      idSql: 'event_id',
      fallback: [{ path: 'eventTime', direction: 'ASC' }],
    });
    return { filter, order, params };
  }

  async *#read(query: EventQuery, scope: EventScope): AsyncIterable<readonly string[]> {
    const { filter, order, params } = this.#compile(query, scope.nodeIds);
    const bind = binder(params);
    const where = [...within(scope, bind), filter];
    if (query.startMs !== undefined) where.push(`event_time >= ${bind(formatIsoMs(query.startMs))}::timestamptz`);
    if (query.endMs !== undefined) where.push(`event_time <= ${bind(formatIsoMs(query.endMs))}::timestamptz`);
    const text = `SELECT ${eventText(this.#columns, query.attr)} AS text FROM events WHERE ${where.join(' AND ')}
      ORDER BY ${order} LIMIT ${bind(query.limit)} OFFSET ${bind(query.skip)}`;
    for await (const rows of this.#database.stream<{ text: string }>(text, params, BATCH_ROWS))
      yield rows.map((row) => row.text);
  }

  async #readAfter(
    conditions: readonly string[],
    attr: EventQuery['attr'],
    position: number,
    limit: number,
    params: unknown[],
  ): Promise<readonly RecordedEvent[]> {
    const bind = binder(params);
    const where = [...conditions, `position > ${bind(position)}`];
    const text = `SELECT event_id, (extract(epoch FROM event_time) * 1000)::bigint AS time_ms, owner_id, node_id, position,
        ${eventText(this.#columns, attr)} AS text
      FROM events WHERE ${where.join(' AND ')} ORDER BY position LIMIT ${bind(limit)}`;
    const { rows } = await this.#database.query<RecordedRow>(text, params);
    return rows.map((row) => ({
      eventId: row.event_id,
      ownerId: row.owner_id,
      nodeId: row.node_id ?? '',
      timeMs: row.time_ms,
      position: row.position,
      text: row.text,
    }));
  }
}

/** Adds a parameter, says its place. */
const binder = (params: unknown[]) => (value: unknown) => `$${params.push(value)}`;

/** Selects the events that the scope may see. */
function within(scope: EventScope, bind: (value: unknown) => string): string[] {
  const where = [`owner_id = ${bind(scope.ownerId)}`];
  if (scope.nodeId !== undefined) where.push(`node_id = ${bind(scope.nodeId)}`);
  if (!scope.withAccountEvents) where.push('workspace_id IS NOT NULL');
  if (scope.workspaceIds) where.push(`workspace_id = ANY(${bind(scope.workspaceIds)}::text[])`);
  if (scope.closedNodeIds.length > 0)
    where.push(`(node_id IS NULL OR node_id <> ALL(${bind(scope.closedNodeIds)}::text[]))`);
  return where;
}

async function insert(tx: Queryable, events: readonly Event[]): Promise<void> {
  const column = (pick: (event: Event) => string) => events.map(pick);
  await tx.query(
    INSERT,
    [
      column((event) => event.eventId),
      column((event) => formatIsoMs(event.timeMs)),
      column((event) => event.ownerId),
      column((event) => event.workspaceId),
      column((event) => event.nodeId),
      column((event) => event.nodeClass),
      column((event) => event.level),
      column((event) => event.eventType),
      column((event) => event.alarmState),
      column((event) => event.username),
      column((event) => event.message),
      column((event) => event.alarmType ?? ''),
    ],
    'record-events',
  );
}
