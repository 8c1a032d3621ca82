import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { LEFT_OUT_ALARMS } from '../domain/source-conditions.ts';
import type { RaisedSources } from '../usecases/evaluate-acquisitions.ts';

/** What another replica has raised is known here after this time. */
const LOOK_EVERY_MS = 5_000;
const MAX_SOURCES = 100_000;

/** Sources with such an alarm, looked up again and again; what this replica raises is known to it at once. */
export class StoredRaisedSources implements RaisedSources {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #raised = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
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
      [LEFT_OUT_ALARMS, MAX_SOURCES],
      'raised-sources',
    );
    this.#raised = new Set(rows.map((row) => row.node_id));
  }

  start(): void {
    this.#running = (async () => {
      while (!this.#stop.signal.aborted) {
        await sleep(LOOK_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
        await this.look().catch((err: unknown) => this.#log.warn({ err }, 'raised alarms could not be looked up'));
      }
    })();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
