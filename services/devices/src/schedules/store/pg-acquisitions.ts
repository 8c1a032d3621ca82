import type { Queryable } from '@catchment/pg';
import { type Acquisition, shownAnew } from '../domain/acquisition.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { News } from '../usecases/ports.ts';
import { report } from './acquisition-messages.ts';

/** A row has an acquisition without levels. */
type Flat = Omit<Acquisition, 'schedule'> & Schedule;
type Row = Readonly<Record<string, unknown>>;

/** These columns have everything but the memory, which only drivers read. */
const COLUMN_OF: Readonly<Record<keyof Flat, string>> = {
  sourceId: 'source_id',
  ownerId: 'owner_id',
  workspaceId: 'workspace_id',
  sourceClass: 'class',
  name: 'name',
  transport: 'transport',
  deviceKey: 'device_key',
  isEnabled: 'is_enabled',
  scheduleType: 'schedule_type',
  intervalMs: 'interval_ms',
  offsetMs: 'offset_ms',
  writeMode: 'write_mode',
  nodeRevision: 'node_revision',
  status: 'status',
  nextMs: 'next_ms',
  collects: 'collects',
  retries: 'retries',
  leaseId: 'lease_id',
  instanceId: 'instance_id',
  revision: 'revision',
  attempts: 'attempts',
  successes: 'successes',
  lastAttemptMs: 'last_attempt_ms',
  lastSuccessMs: 'last_success_ms',
  recordCount: 'record_count',
  lastRecordCount: 'last_record_count',
  isAlarmed: 'is_alarmed',
  facts: 'facts',
};
const COLUMNS = Object.values(COLUMN_OF);
const LIST = COLUMNS.join(', ');
const PLACEHOLDERS = COLUMNS.map((_, n) => `$${n + 1}`).join(', ');
const SET = COLUMNS.slice(1)
  .map((column, n) => `${column} = $${n + 2}`)
  .join(', ');
const of = (table: string) => COLUMNS.map((column) => `${table}.${column}`).join(', ');

function toAcquisition(row: Row): Acquisition {
  const attributes = Object.entries(COLUMN_OF).map(([attribute, column]) => [attribute, row[column]]);
  const { intervalMs, offsetMs, ...acquisition } = Object.fromEntries(attributes) as Flat;
  return { ...acquisition, schedule: { intervalMs, offsetMs } };
}

/** The values have the order of COLUMNS. */
function valuesOf({ schedule, ...acquisition }: Acquisition): unknown[] {
  const flat: Flat = { ...acquisition, ...schedule };
  return (Object.keys(COLUMN_OF) as (keyof Flat)[]).map((attribute) => flat[attribute]);
}

/** A process that has not renewed it for this long is dead: another one has its sessions well within 30 s. */
const ALIVE = `interval '22 seconds'`;
/** No message about a node comes so late. */
const KEPT = `interval '8 days'`;

export async function lockAcquisition(tx: Queryable, sourceId: string): Promise<Acquisition | 'deleted' | undefined> {
  const { rows } = await tx.query<Row & { is_deleted: boolean }>(
    `SELECT ${LIST}, is_deleted FROM acquisitions WHERE source_id = $1 FOR UPDATE`,
    [sourceId],
    'lock-acquisition',
  );
  const [row] = rows;
  return row?.is_deleted ? 'deleted' : row && toAcquisition(row);
}

export async function insertAcquisition(tx: Queryable, acquisition: Acquisition): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO acquisitions (${LIST}) VALUES (${PLACEHOLDERS}) ON CONFLICT (source_id) DO NOTHING`,
    valuesOf(acquisition),
    'insert-acquisition',
  );
  return rowCount === 1;
}

export async function saveAcquisition(tx: Queryable, acquisition: Acquisition, reported: News = {}): Promise<void> {
  const saved = reported.shows ? shownAnew(acquisition) : acquisition;
  await tx.query(
    `UPDATE acquisitions SET ${SET}, changed_time = clock_timestamp() WHERE source_id = $1`,
    valuesOf(saved),
    'save-acquisition',
  );
  await report(tx, saved, reported, reported.shows ? saved : undefined);
}

export const reportOfSource = (
  tx: Queryable,
  source: Pick<Acquisition, 'sourceId' | 'ownerId'>,
  reported: Omit<News, 'shows'>,
): Promise<void> => report(tx, source, reported);

export async function deleteAcquisitions(tx: Queryable, ownerId: string, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE acquisitions SET is_deleted = true, next_ms = NULL, lease_id = NULL, instance_id = NULL, device_key = NULL,
       memory = NULL, changed_time = clock_timestamp()
     WHERE owner_id = $1 AND source_id = ANY($2::text[])`,
    [ownerId, nodeIds],
    'delete-acquisitions',
  );
  await tx.query(
    'DELETE FROM controls WHERE owner_id = $1 AND (node_id = ANY($2::text[]) OR source_id = ANY($2::text[]))',
    [ownerId, nodeIds],
    'delete-controls',
  );
}

export async function purgeAcquisitions(on: Queryable): Promise<void> {
  await on.query(`DELETE FROM acquisitions WHERE is_deleted AND changed_time < clock_timestamp() - ${KEPT}`);
}

export async function unknownRevisions(
  on: Queryable,
  nodes: readonly { readonly nodeId: string; readonly revision: number; readonly deviceKey: string }[],
): Promise<Set<string>> {
  const { rows } = await on.query<{ node_id: string }>(
    `SELECT n.node_id FROM unnest($1::text[], $2::bigint[], $3::boolean[]) AS n (node_id, revision, names_device)
     WHERE NOT EXISTS (SELECT FROM acquisitions a
                       WHERE a.source_id = n.node_id AND (a.node_revision >= n.revision OR a.is_deleted))
        OR n.names_device AND NOT EXISTS (SELECT FROM device_sources d
                                          WHERE d.source_id = n.node_id AND (d.revision >= n.revision OR d.is_deleted))`,
    [nodes.map((node) => node.nodeId), nodes.map((node) => node.revision), nodes.map((node) => node.deviceKey !== '')],
    'unknown-revisions',
  );
  return new Set(rows.map((row) => row.node_id));
}

export async function retireAcquisitions(on: Queryable, listedAt: Date, existing: readonly string[]): Promise<void> {
  await on.query(
    `UPDATE acquisitions a SET transport = 'None', schedule_type = 'NONE', device_key = NULL, next_ms = NULL,
       status = CASE WHEN status = 'DISABLED' THEN status ELSE 'REST' END, lease_id = NULL, instance_id = NULL
     WHERE NOT is_deleted AND changed_time < $1 AND (transport <> 'None' OR schedule_type <> 'NONE')
       AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS e (source_id) WHERE e.source_id = a.source_id)`,
    [listedAt, existing],
  );
}

export async function isAcquisitionDue(on: Queryable, nowMs: number): Promise<boolean> {
  const { rows } = await on.query<{ is_due: boolean }>(
    'SELECT EXISTS (SELECT FROM acquisitions WHERE next_ms <= $1 AND lease_id IS NULL) AS is_due',
    [nowMs],
    'is-acquisition-due',
  );
  return rows[0]?.is_due ?? false;
}

export async function lockClaims(tx: Queryable): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext('acquisitions'))`,
    [],
    'lock-acquisition-claims',
  );
}

/**
 * Sources of a shared device go one at a time, in the order of their creation: ids begin with its time. Where the device is connected, only
 * the process that holds the connection takes its sources.
 */
const DEVICE_IS_FREE = `(a.device_key IS NULL OR NOT EXISTS (
  SELECT FROM acquisitions o
  WHERE o.owner_id = a.owner_id AND o.device_key = a.device_key AND o.source_id <> a.source_id
    AND (o.lease_id IS NOT NULL OR o.status = 'REMOTE' OR o.next_ms <= $1 AND o.source_id < a.source_id))
  AND NOT EXISTS (
  SELECT FROM devices d JOIN connections USING (device_id) JOIN instances i USING (instance_id)
  WHERE d.owner_id = a.owner_id AND d.device_key = a.device_key AND i.instance_id <> $4
    AND i.heartbeat_at > clock_timestamp() - interval '10 seconds'))`;

export async function dueAcquisitions(
  tx: Queryable,
  { nowMs, limit, perAccount, instanceId }: { nowMs: number; limit: number; perAccount: number; instanceId: string },
): Promise<Acquisition[]> {
  const { rows } = await tx.query<Row>(
    `WITH running AS (SELECT owner_id, count(*) AS n FROM acquisitions WHERE lease_id IS NOT NULL GROUP BY owner_id),
     due AS (
       SELECT a.source_id, a.owner_id, a.next_ms, coalesce(r.n, 0) AS n FROM acquisitions a LEFT JOIN running r USING (owner_id)
       WHERE a.next_ms <= $1 AND a.lease_id IS NULL AND coalesce(r.n, 0) < $3 AND ${DEVICE_IS_FREE}
       ORDER BY a.next_ms LIMIT $2 * 8),
     ranked AS (
       SELECT source_id, next_ms, n + row_number() OVER (PARTITION BY owner_id ORDER BY next_ms, source_id) AS nth FROM due)
     SELECT ${of('a')} FROM acquisitions a
     JOIN (SELECT source_id, nth, next_ms FROM ranked WHERE nth <= $3 ORDER BY nth, next_ms LIMIT $2) c USING (source_id)
     WHERE a.lease_id IS NULL
     ORDER BY c.nth, c.next_ms FOR UPDATE OF a SKIP LOCKED`,
    [nowMs, limit, perAccount, instanceId],
    'due-acquisitions',
  );
  return rows.map(toAcquisition);
}

export async function waitingAcquisitions(tx: Queryable, beforeMs: number, limit: number): Promise<Acquisition[]> {
  const { rows } = await tx.query<Row>(
    `SELECT ${LIST} FROM acquisitions WHERE next_ms <= $1 AND lease_id IS NULL AND status <> 'QUEUED'
     ORDER BY next_ms LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [beforeMs, limit],
    'waiting-acquisitions',
  );
  return rows.map(toAcquisition);
}

export async function failedAcquisitions(on: Queryable, sourceIds: readonly string[]): Promise<string[]> {
  const { rows } = await on.query<{ source_id: string }>(
    `SELECT source_id FROM acquisitions WHERE source_id = ANY($1::text[]) AND status = 'FAILED'`,
    [sourceIds],
    'failed-acquisitions',
  );
  return rows.map((row) => row.source_id);
}

export async function renewAcquirer(on: Queryable, instanceId: string): Promise<void> {
  await on.query(
    `INSERT INTO acquirers (instance_id, until_time) VALUES ($1, clock_timestamp() + ${ALIVE})
     ON CONFLICT (instance_id) DO UPDATE SET until_time = excluded.until_time`,
    [instanceId],
    'renew-acquirer',
  );
}

export async function dropAcquirer(on: Queryable, instanceId: string): Promise<void> {
  await on.query('DELETE FROM acquirers WHERE instance_id = $1 OR until_time < clock_timestamp()', [instanceId]);
}

export async function abandonedAcquisitions(tx: Queryable, limit: number): Promise<Acquisition[]> {
  const { rows } = await tx.query<Row>(
    `SELECT ${LIST} FROM acquisitions a
     WHERE instance_id IS NOT NULL AND NOT EXISTS (
       SELECT FROM acquirers i WHERE i.instance_id = a.instance_id AND i.until_time > clock_timestamp())
     LIMIT $1 FOR UPDATE OF a SKIP LOCKED`,
    [limit],
    'abandoned-acquisitions',
  );
  return rows.map(toAcquisition);
}

export async function heldLeases(on: Queryable, leaseIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await on.query<{ lease_id: string }>(
    'SELECT lease_id FROM acquisitions WHERE instance_id IS NOT NULL AND lease_id = ANY($1::text[])',
    [leaseIds],
    'held-leases',
  );
  return new Set(rows.map((row) => row.lease_id));
}

export async function countRecords(
  on: Queryable,
  { sourceId, leaseId, records }: { sourceId: string; leaseId: string; records: number },
): Promise<boolean> {
  const { rowCount } = await on.query(
    'UPDATE acquisitions SET record_count = record_count + $3 WHERE source_id = $1 AND lease_id = $2',
    [sourceId, leaseId, records],
    'count-records',
  );
  return rowCount === 1;
}

export async function readMemory(on: Queryable, sourceId: string): Promise<unknown> {
  const { rows } = await on.query<{ memory: unknown }>(
    'SELECT memory FROM acquisitions WHERE source_id = $1',
    [sourceId],
    'read-memory',
  );
  return rows[0]?.memory ?? undefined;
}

export async function saveMemory(
  on: Queryable,
  { sourceId, leaseId, memory }: { sourceId: string; leaseId: string; memory: string },
): Promise<boolean> {
  const { rowCount } = await on.query(
    'UPDATE acquisitions SET memory = $3 WHERE source_id = $1 AND lease_id = $2',
    [sourceId, leaseId, memory],
    'save-memory',
  );
  return rowCount === 1;
}

export async function hasWaitingFiles(on: Queryable, sourceId: string): Promise<boolean> {
  const { rows } = await on.query<{ waits: boolean }>(
    'SELECT EXISTS (SELECT FROM files WHERE source_id = $1 AND place IS NOT NULL AND outcome IS NULL) AS waits',
    [sourceId],
    'has-waiting-files',
  );
  return rows[0]?.waits ?? false;
}

export async function isDeviceConnected(on: Queryable, ownerId: string, deviceKey: string): Promise<boolean> {
  const { rows } = await on.query(
    'SELECT FROM shown_devices WHERE owner_id = $1 AND device_key = $2 AND is_connected',
    [ownerId, deviceKey],
    'is-device-connected',
  );
  return rows.length > 0;
}

export async function takeCall(
  tx: Queryable,
  { ownerId, workspaceId, deviceKey }: Pick<Acquisition, 'ownerId' | 'workspaceId' | 'deviceKey'>,
  nowMs: number,
  againMs: number,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ phone_number: string }>(
    `UPDATE devices SET called_ms = $4
     WHERE owner_id = $1 AND workspace_id = $2 AND device_key = $3 AND phone_number IS NOT NULL
       AND (called_ms IS NULL OR called_ms < $5)
     RETURNING phone_number`,
    [ownerId, workspaceId, deviceKey, nowMs, againMs],
    'take-call',
  );
  return rows[0]?.phone_number;
}

export async function acquisitionsOfDevice(tx: Queryable, deviceId: string): Promise<Acquisition[]> {
  const { rows } = await tx.query<Row>(
    `SELECT ${of('a')} FROM acquisitions a JOIN devices d
       ON d.owner_id = a.owner_id AND d.device_key = a.device_key AND d.workspace_id = a.workspace_id
     WHERE d.device_id = $1 ORDER BY a.source_id FOR UPDATE OF a`,
    [deviceId],
    'acquisitions-of-device',
  );
  return rows.map(toAcquisition);
}
