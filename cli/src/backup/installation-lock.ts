import type pg from 'pg';

/** A connection of this name does this: it is asked for the one that is at work. */
const WORK: Readonly<Record<string, string>> = {
  backup: 'A backup is being made',
  restore: 'A restore is at work',
  'restore-account': 'A restore of one account is at work',
};
const LOCK = `hashtext('catchment'), hashtext('backup and restore')`;

/**
 * Takes the right to copy this installation, or to bring something into it, until the connection ends: backups may be made beside each
 * other, a restore is alone.
 * @param client its connection is named after what it does, see above
 * @throws Error that says what is at work
 */
export async function takeInstallation(client: pg.Client, how: 'shared' | 'alone'): Promise<void> {
  const take = how === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const { rows } = await client.query<{ taken: boolean }>(`SELECT ${take}(${LOCK}) AS taken`);
  if (rows[0]?.taken) return;
  const { rows: holders } = await client.query<{ pid: number; name: string; since: Date }>(
    `SELECT a.pid, a.application_name AS name, a.backend_start AS since FROM pg_locks l JOIN pg_stat_activity a USING (pid),
       (VALUES (${LOCK})) AS own (one, other)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = own.one::oid AND l.objid = own.other::oid AND l.objsubid = 2
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY a.backend_start LIMIT 1`,
  );
  const [holder] = holders;
  const what = WORK[holder?.name ?? ''] ?? 'A backup or a restore is at work';
  const where = holder ? ` since ${holder.since.toISOString()} (PostgreSQL process ${holder.pid})` : '';
  throw new Error(`${what}${where}: wait for its end, or end it, then try again`);
}
