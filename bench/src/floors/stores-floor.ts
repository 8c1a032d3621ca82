import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import type { Installation } from '../installation.ts';
import { messageBody } from '../loads/write-scenarios.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';
import { authorization, FIRST_MS, STEP_MS, value } from './influx-floor.ts';

export const STORES = ['nats', 'postgres', 'influx'] as const;
const STREAM = 'STORES_FLOOR';
const READER = 'floor';
const SERIES = 3;

/** These count batches, or the messages of each. */
export type Batches = {
  /** Groups of writes in the ingest log. */
  readonly log: number;
  /** This many transactions change values of nodes. */
  readonly transaction: number;
};

/** Counts what the log and the values of nodes have had until now. */
export async function batchesSoFar({ servers }: Installation): Promise<Batches> {
  const broker = await toBroker(servers.nats.url);
  const { state } = await (await jetstreamManager(broker)).streams.info('INGEST');
  await broker.close();
  const revisions = `SELECT coalesce(sum(revision), 0)::int AS sum FROM nodes.owner_revisions WHERE writer LIKE 'partition-%'`;
  const { rows } = await onPostgres(servers.postgres.url, (client) => client.query<{ sum: number }>(revisions));
  return { log: state.last_seq, transaction: rows[0]?.sum ?? 0 };
}

/**
 * Measures the least that the stores have to do for messages of 3 points, each of another source: the log has them and gives them to one
 * reader, InfluxDB has their points, and PostgreSQL the newest values, counters of sources and acknowledged numbers of modems.
 * @param batches how many messages go together
 * @returns processor time of a message by store, ms
 */
export async function storesFloor(
  installation: Installation,
  { sources, messages, batches }: { sources: number; messages: number; batches: Batches },
): Promise<Record<string, number>> {
  const { servers } = installation;
  const [perLog, perTransaction] = [batches.log, batches.transaction].map((size) => Math.max(1, Math.round(size)));
  const { nats = 0, postgres = 0, influx = 0 } = await installation.pids();
  const pids = { nats, postgres, influx };
  const log = await openLog(servers.nats.url);
  const points = await openPoints(servers.influx.url);
  return onPostgres(servers.postgres.url, async (client) => {
    await client.query(tables(sources));
    const nths = Array.from({ length: messages }, (_, n) => n);
    const before = await cpuByProcess(pids);
    for (const some of chunks(nths, perLog ?? 1)) {
      await log.pass(Buffer.from(some.map(messageBody).join('\n')));
      await points.write(some.flatMap((n) => linesOf(n, sources)).join('\n'));
    }
    for (const some of chunks(nths, perTransaction ?? 1)) await saveNewest(client, some, sources);
    const spent = cpuOfEach(before, await cpuByProcess(pids), messages);
    await log.close();
    await points.close();
    await client.query('DROP SCHEMA stores_floor CASCADE');
    return spent;
  });
}

/** A list in parts. */
export function* chunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

function toBroker(url: string): Promise<NatsConnection> {
  const { username, password, host } = new URL(url);
  return connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
}

async function openLog(url: string): Promise<{ pass(data: Buffer): Promise<void>; close(): Promise<void> }> {
  const broker = await toBroker(url);
  const manager = await jetstreamManager(broker);
  await manager.streams.add({ name: STREAM, subjects: [STREAM], storage: StorageType.File });
  await manager.consumers.add(STREAM, { durable_name: READER });
  const consumer = await jetstream(broker).consumers.get(STREAM, READER);
  return {
    pass: async (data) => {
      await jetstream(broker).publish(STREAM, data);
      await (await consumer.next())?.ackAck();
    },
    close: async () => {
      await manager.streams.delete(STREAM);
      await broker.close();
    },
  };
}

async function openPoints(url: string): Promise<{ write(lines: string): Promise<void>; close(): Promise<void> }> {
  const { origin, username, password } = new URL(url);
  const headers = authorization(username, password);
  const database = `stores_floor_${Date.now()}`;
  const post = async (path: string, body: string | URLSearchParams) => {
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`InfluxDB answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const statement = (text: string) => post('/query', new URLSearchParams({ q: text }));
  await statement(`CREATE DATABASE ${database} WITH DURATION INF REPLICATION 1 SHARD DURATION 52w`);
  return {
    write: (lines) => post(`/write?db=${database}&precision=ms`, lines),
    close: () => statement(`DROP DATABASE ${database}`),
  };
}

const seriesOf = (n: number, sources: number): string[] =>
  Array.from({ length: SERIES }, (_, series) => `series-${n % sources}-${series}`);

const linesOf = (n: number, sources: number): string[] =>
  seriesOf(n, sources).map(
    (id, series) => `r,s=${id} v=${value(n + series)} ${FIRST_MS + Math.floor(n / sources) * STEP_MS}`,
  );

async function onPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}

const tables = (sources: number): string => `
  CREATE SCHEMA stores_floor;
  CREATE TABLE stores_floor.newest (id text COLLATE "C" PRIMARY KEY, ms bigint, value jsonb, previous_ms bigint, previous_value jsonb) WITH (fillfactor = 70);
  CREATE TABLE stores_floor.counters (id text COLLATE "C" PRIMARY KEY, last_ms bigint, total bigint) WITH (fillfactor = 70);
  CREATE TABLE stores_floor.acknowledged (id text COLLATE "C" PRIMARY KEY, seq bigint) WITH (fillfactor = 70);
  INSERT INTO stores_floor.newest SELECT 'series-' || n || '-' || s FROM generate_series(0, ${sources - 1}) n, generate_series(0, ${SERIES - 1}) s;
  INSERT INTO stores_floor.counters SELECT 'source-' || n, 0, 0 FROM generate_series(0, ${sources - 1}) n;
  INSERT INTO stores_floor.acknowledged SELECT 'source-' || n, 0 FROM generate_series(0, ${sources - 1}) n;`;

const NEWEST = `UPDATE stores_floor.newest o SET ms = u.ms, value = u.value, previous_ms = o.ms, previous_value = o.value
  FROM unnest($1::text[], $2::bigint[], $3::jsonb[]) AS u(id, ms, value) WHERE o.id = u.id`;
const COUNTERS = `UPDATE stores_floor.counters o SET last_ms = u.ms, total = o.total + 1
  FROM unnest($1::text[], $2::bigint[]) AS u(id, ms) WHERE o.id = u.id`;
const ACKNOWLEDGED = `UPDATE stores_floor.acknowledged o SET seq = greatest(o.seq, u.seq)
  FROM unnest($1::text[], $2::bigint[]) AS u(id, seq) WHERE o.id = u.id`;

async function saveNewest(client: pg.Client, nths: readonly number[], sources: number): Promise<void> {
  const last = [...new Map(nths.map((n) => [n % sources, n])).values()];
  const times = last.map((n) => FIRST_MS + Math.floor(n / sources) * STEP_MS);
  const ids = last.map((n) => `source-${n % sources}`);
  await client.query('BEGIN');
  await client.query({
    name: 'floor-newest',
    text: NEWEST,
    values: [
      last.flatMap((n) => seriesOf(n, sources)),
      times.flatMap((ms) => Array.from({ length: SERIES }, () => ms)),
      last.flatMap((n) => Array.from({ length: SERIES }, (_, series) => JSON.stringify(value(n + series)))),
    ],
  });
  await client.query({ name: 'floor-counters', text: COUNTERS, values: [ids, times] });
  await client.query({ name: 'floor-acknowledged', text: ACKNOWLEDGED, values: [ids, last] });
  await client.query('COMMIT');
}
