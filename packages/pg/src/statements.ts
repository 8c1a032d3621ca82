import {
  databaseDuration,
  isTraceKept,
  type Logger,
  reportRefusedWrite,
  SpanKind,
  withSpan,
} from '@catchment/telemetry';
import type pg from 'pg';
import type { Connections } from './connections.ts';
import { isDiskFull, mapPgError } from './pg-errors.ts';
import type { Rehearsal } from './rehearsal.ts';

type StatementOptions = {
  readonly schema: string;
  readonly log: Pick<Logger, 'error'>;
  readonly rehearsal: Rehearsal | undefined;
};

/** Runs statements on connections, with their spans, their times and their errors. */
export class Statements {
  readonly #connections: Pick<Connections, 'heard'>;
  readonly #schema: string;
  readonly #log: Pick<Logger, 'error'>;
  readonly #rehearsal: Rehearsal | undefined;

  constructor(connections: Pick<Connections, 'heard'>, { schema, log, rehearsal }: StatementOptions) {
    this.#connections = connections;
    this.#schema = schema;
    this.#log = log;
    this.#rehearsal = rehearsal;
  }

  /** A statement of a trace that is kept has a span: its kind, never its text or values. */
  run<T>(client: pg.PoolClient, text: string, values: readonly unknown[], name?: string) {
    if (!isTraceKept() || text === 'BEGIN') return this.#ask<T>(client, text, values, name);
    const operation = operationOf(text);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.namespace': `${client.database ?? ''}|${this.#schema}`,
      ...(name && { 'db.query.summary': name }),
      'server.address': client.host,
      'server.port': client.port,
    };
    const settings = { kind: SpanKind.CLIENT, attributes, hidesErrors: true };
    return withSpan(`${operation} ${this.#schema}`, settings, () => this.#ask<T>(client, text, values, name));
  }

  async #ask<T>(
    client: pg.PoolClient,
    text: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<{ rows: T[]; rowCount: number }> {
    if (name) this.#rehearsal?.see(name, text);
    const beganMs = performance.now();
    const ended = (error_type: string) =>
      databaseDuration.observe(
        { db_system_name: 'postgresql', db_operation_name: operationOf(text), error_type },
        (performance.now() - beganMs) / 1_000,
      );
    try {
      const result = await this.#connections.heard(() =>
        client.query({ text, values: [...values], ...(name && { name }) }),
      );
      ended('');
      return { rows: result.rows as T[], rowCount: result.rowCount ?? 0 };
    } catch (error) {
      const known = mapPgError(error);
      ended(known.kind);
      if (isDiskFull(error))
        reportRefusedWrite(this.#log, {
          store: 'postgresql',
          part: '',
          reason: 'full',
          says: (error as Error).message,
        });
      throw known;
    }
  }
}

/** Returns the first word of a statement of ours: SELECT, INSERT, WITH … */
const operationOf = (text: string): string => /[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? '';
