import { type Finding, ok, warning } from '@catchment/bus';
import { countOf } from '@catchment/number-format';
import { databaseCheck } from '../database-check.ts';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';

const ABOUT = 'retention';
/** Accounts that are named one by one. */
const MAX_NAMED = 20;

type KeptAccount = {
  readonly owner_id: string;
  readonly days: number;
  readonly next_ms: number;
  /** True while nothing has been removed by these days. */
  readonly is_new: boolean;
};

/** Checks which records are removed when they are old: what is removed is gone, so new days are announced before they hold. */
export const retention = (installation: Installation): Check =>
  databaseCheck(ABOUT, installation, async (database) => {
    const { rows: tables } = await database.query<{ found: boolean }>(
      `SELECT to_regclass('historic.record_retention') IS NOT NULL AS found`,
    );
    if (!tables[0]?.found) return [];
    const { rows } = await database.query<KeptAccount>(
      `SELECT owner_id, days, next_ms, swept_to_ms IS NULL AND cutoff_ms IS NULL AS is_new
       FROM historic.record_retention ORDER BY owner_id`,
    );
    return retentionFindings(rows);
  });

export function retentionFindings(accounts: readonly KeptAccount[]): Finding[] {
  if (accounts.length === 0) return [ok(ABOUT, 'records are kept for ever')];
  const fresh = accounts.filter((account) => account.is_new);
  const days = accounts.map((account) => account.days);
  const range = [...new Set([Math.min(...days), Math.max(...days)])].join(' to ');
  return [
    ...fresh
      .slice(0, MAX_NAMED)
      .map((account) =>
        warning(
          `${ABOUT} of account ${account.owner_id}`,
          `records older than ${countOf(account.days, 'day')} will be removed for good from ${new Date(account.next_ms).toISOString()} on`,
          'If that is not meant, set RECORD_DAYS of historic or "catchment account update --record-days" before then.',
        ),
      ),
    ok(
      ABOUT,
      `records of ${countOf(accounts.length, 'account')} are kept for ${range} days, ${fresh.length} of them newly`,
    ),
  ];
}
