import type { Database } from '@catchment/pg';
import type { AlarmType } from '@catchment/query';
import { alarmTypesOn } from '../domain/alarm-types.ts';
import type { AlarmHeard, RaisedSources } from '../usecases/evaluate-acquisitions.ts';

/** This many sources take some 30 MB. With more, every source counts as raised. */
const MAX_SOURCES = 300_000;
const KEEP_MS = 300_000;
const TYPES: readonly AlarmType[] = [...alarmTypesOn('acquisition'), 'outdatedAlarm'];

/**
 * Acquisitions may clear an alarm of these sources: as they were at the last look, and those that were heard of since. A source
 * that is no longer among them costs a little work, nothing else.
 */
export class StoredRaisedSources implements RaisedSources {
  readonly #database: Database;
  /** The number of times at which something may have been missed, and that number when the last look began. */
  #misses = 1;
  #missesSeen = 0;
  #lookedMs = 0;
  #raised = new Set<string>();
  #heard = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Every source counts as raised while something may have been missed. */
  has(sourceId: string): boolean {
    return this.#misses !== this.#missesSeen || this.#raised.size >= MAX_SOURCES || this.#raised.has(sourceId);
  }

  add(sourceId: string): void {
    this.#heard.add(sourceId);
    this.#raised.add(sourceId);
  }

  hear({ nodeId, alarmType, alarmState }: AlarmHeard): void {
    if (alarmState !== 'CLEARED' && TYPES.some((type) => type === alarmType)) this.add(nodeId);
  }

  missed(): void {
    this.#misses += 1;
  }

  /** Reads the table where it is time to. */
  async look(): Promise<void> {
    const misses = this.#misses;
    if (misses === this.#missesSeen && performance.now() - this.#lookedMs < KEEP_MS) return;
    this.#heard = new Set();
    const { rows } = await this.#database.query<{ node_id: string }>(
      `SELECT node_id FROM alarms WHERE alarm_type = ANY($1::text[]) AND alarm_state <> 'CLEARED'
       UNION SELECT node_id FROM outdated_checks WHERE outdated_since_ms IS NOT NULL LIMIT $2`,
      [TYPES, MAX_SOURCES],
      'raised-sources',
    );
    this.#raised = new Set(rows.map((row) => row.node_id)).union(this.#heard);
    this.#missesSeen = misses;
    this.#lookedMs = performance.now();
  }
}
