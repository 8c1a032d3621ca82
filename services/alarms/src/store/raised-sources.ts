import type { Database } from '@catchment/pg';
import { alarmTypesOn } from '../domain/alarm-types.ts';
import type { RaisedSources } from '../usecases/evaluate-acquisitions.ts';

const MAX_SOURCES = 100_000;

/** Sources with such an alarm, as they were at the last look; what this replica raises is known to it at once. */
export class StoredRaisedSources implements RaisedSources {
  readonly #database: Database;
  #raised = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  has(sourceId: string): boolean {
    return this.#raised.has(sourceId);
  }

  add(sourceId: string): void {
    this.#raised.add(sourceId);
  }

  async look(): Promise<void> {
    const { rows } = await this.#database.query<{ node_id: string }>(
      `SELECT DISTINCT node_id FROM alarms WHERE alarm_type = ANY($1::text[]) AND alarm_state <> 'CLEARED' LIMIT $2`,
      [alarmTypesOn('acquisition'), MAX_SOURCES],
      'raised-sources',
    );
    this.#raised = new Set(rows.map((row) => row.node_id));
  }
}
