import { unavailable } from '@catchment/errors';
import { type Database, listsAskedTogether } from '@catchment/pg';
import { LRUCache } from 'lru-cache';
import type { RecordSummaries } from '../../aggregates/index.ts';
import type { InfluxConnection } from '../../influx/index.ts';
import type { RecordOutlines } from '../../outlines/index.ts';
import {
  DEFAULT_SHARD,
  type EarlierRecords,
  type ExistingRecords,
  type RecordReader,
  type RecordStore,
} from '../../records/index.ts';

/**
 * One InfluxDB has all that is asked of it. It shares nothing with another InfluxDB: neither connections nor what is known of its health.
 */
export type ShardStore = {
  readonly connection: InfluxConnection;
  readonly records: RecordStore & RecordReader & EarlierRecords;
  readonly existing: ExistingRecords;
  readonly summaries: RecordSummaries;
  readonly outlines: RecordOutlines;
};

/** A series that has changed hands is not written for twice this time (FRESH in pg-writer-assignments.ts). */
const KEEP_MS = 250;
const MAX_KEPT = 50_000;

/** Series are looked up together, so many at most. */
const LOOKED_UP = 10_000;

/** Finds the InfluxDB of a series. */
export class ShardRouter {
  readonly #database: Database;
  readonly #stores: ReadonlyMap<string, ShardStore>;
  readonly #isSpread: () => boolean;
  readonly #kept = new LRUCache<string, string>({ max: MAX_KEPT, ttl: KEEP_MS, ttlResolution: 0 });
  /** Looks up the series of many writes together: those that have a row. */
  readonly #assigned = listsAskedTogether((nodeIds: readonly string[]) => this.#ask([...new Set(nodeIds)]), LOOKED_UP);

  constructor(database: Database, stores: ReadonlyMap<string, ShardStore>, isSpread: () => boolean) {
    this.#database = database;
    this.#stores = stores;
    this.#isSpread = isSpread;
  }

  /** Returns the shards of series, each looked up at most a quarter of a second ago. */
  async shardsOf(nodeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const shards = new Map(nodeIds.map((nodeId) => [nodeId, DEFAULT_SHARD]));
    if (!this.#isSpread()) return shards;
    const unknown: string[] = [];
    for (const nodeId of shards.keys()) {
      const kept = this.#kept.get(nodeId);
      if (kept === undefined) unknown.push(nodeId);
      else shards.set(nodeId, kept);
    }
    for (const [nodeId, shard] of await this.shardsNow(unknown)) shards.set(nodeId, shard);
    return shards;
  }

  /** Returns the shards of series as they are now. */
  async shardsNow(nodeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const shards = new Map(nodeIds.map((nodeId) => [nodeId, DEFAULT_SHARD]));
    if (nodeIds.length === 0 || !this.#isSpread()) return shards;
    const assigned = await this.#assigned([...shards.keys()]);
    for (const nodeId of shards.keys()) {
      const shard = assigned.get(nodeId);
      if (shard !== undefined) shards.set(nodeId, shard);
    }
    return shards;
  }

  async #ask(nodeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const atMs = performance.now();
    const { rows } = await this.#database.query<{ node_id: string; shard: string }>(
      'SELECT node_id, shard FROM series_shards WHERE node_id = ANY($1::text[])',
      [nodeIds],
      'shards-of',
    );
    const assigned = new Map(rows.map(({ node_id, shard }) => [node_id, shard]));
    // It is kept from when it was asked for: an answer may come late.
    for (const nodeId of nodeIds) this.#kept.set(nodeId, assigned.get(nodeId) ?? DEFAULT_SHARD, { start: atMs });
    return assigned;
  }

  /** @throws DomainError unavailable where the settings of this replica lack it */
  store(shard: string): ShardStore {
    const store = this.#stores.get(shard);
    if (!store)
      throw unavailable('SHARD_UNKNOWN', {
        cause: new Error(`INFLUX_SHARDS of this replica lacks the shard ${shard}`),
      });
    return store;
  }

  /** The InfluxDB of a series. */
  async of(nodeId: string): Promise<ShardStore> {
    return this.store((await this.shardsOf([nodeId])).get(nodeId) ?? DEFAULT_SHARD);
  }

  /** Runs work for the series of each InfluxDB, all at once. */
  async each(
    nodeIds: readonly string[],
    work: (store: ShardStore, nodeIds: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const shards = await this.shardsOf(nodeIds);
    const groups = Map.groupBy(nodeIds, (nodeId) => shards.get(nodeId) ?? DEFAULT_SHARD);
    await Promise.all([...groups].map(([shard, some]) => work(this.store(shard), some)));
  }
}
