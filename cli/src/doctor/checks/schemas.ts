import { setTimeout as wait } from 'node:timers/promises';
import { type Finding, ok, problem, warning } from '@catchment/bus';
import { countOf } from '@catchment/number-format';
import { type MigrationState, migrationState, type Queryable } from '@catchment/pg';
import { migrationsFolder, schemasOfServices } from '../../start/schemas.ts';
import { SERVICES } from '../../start/service-table.ts';
import { databaseCheck } from '../database-check.ts';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';

/** A relay that works has moved on after this time. */
const RELAY_MS = 3_000;

/** Compares the schema of every service with the migrations of this version. */
export const schemas = (installation: Installation): Check =>
  databaseCheck('schemas', installation, async (database) => {
    const findings: Finding[] = [];
    for (const schema of schemasOfServices())
      findings.push(
        schemaFinding(schema, await migrationState(database, { schema, folder: migrationsFolder(schema) })),
      );
    return findings;
  });

export function schemaFinding(schema: string, { missing, unknown: newer }: MigrationState): Finding {
  const about = `schema ${schema}`;
  if (missing.length > 0)
    return problem(
      about,
      `${countOf(missing.length, 'migration is', 'migrations are')} missing, the first is ${missing[0]}`,
      'Run "catchment migrate", or start this version of the service.',
    );
  if (newer.length > 0)
    return warning(
      about,
      `a newer version has been here: ${newer.at(-1)} is not known to this one`,
      'While an upgrade runs, or after a roll back, this is right. Otherwise use the doctor of the newer version.',
    );
  return ok(about, 'every migration of this version is there');
}

/** Messages about changes wait in tables until the broker has them: whether they move. */
export const outboxes = (installation: Installation): Check =>
  databaseCheck('outboxes', installation, async (database) => {
    const tables = await outboxTables(database);
    const before = await firstOf(database, tables, 'outbox');
    if (before.size > 0) await wait(RELAY_MS);
    const after = await firstOf(database, tables, 'outbox');
    const refused = await firstOf(database, tables, 'refused_outbox');
    const stuck = [...after].filter(([schema, first]) => before.get(schema) === first).map(([schema]) => schema);
    const findings = [
      ...stuck.map((schema) =>
        problem(
          `outbox ${schema}`,
          'its oldest message does not move',
          `Look at the log of ${schema}: it does not run, does not reach NATS, or a stream is full.`,
        ),
      ),
      ...[...refused.keys()].map((schema) =>
        warning(
          `outbox ${schema}`,
          'the broker has refused messages for good',
          `Table ${schema}.refused_outbox has them with the reason; mostly max_payload of NATS is too small.`,
        ),
      ),
    ];
    return findings.length > 0 ? findings : [ok('outboxes', 'messages about changes move')];
  });

/** Lists schemas of ours with an outbox. */
async function outboxTables(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ schema: string }>(
    `SELECT DISTINCT table_schema AS schema FROM information_schema.tables
     WHERE table_schema = ANY ($1) AND table_name IN ('outbox', 'refused_outbox')
     GROUP BY 1 HAVING count(*) = 2 ORDER BY 1`,
    [SERVICES],
  );
  return rows.map(({ schema }) => schema);
}

/** Returns the smallest id of each table that is not empty. */
async function firstOf(
  database: Queryable,
  schemasWithOne: readonly string[],
  table: string,
): Promise<Map<string, number>> {
  if (schemasWithOne.length === 0) return new Map();
  const each = schemasWithOne.map((schema) => `SELECT '${schema}' AS schema, min(id) AS first FROM ${schema}.${table}`);
  const { rows } = await database.query<{ schema: string; first: number | null }>(each.join(' UNION ALL '));
  return new Map(rows.flatMap(({ schema, first }) => (first === null ? [] : [[schema, first]])));
}
