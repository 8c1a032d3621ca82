import type { Queryable } from '@catchment/pg';
import type { NewProfile } from '../usecases/ports.ts';

export async function insertProfiles(
  tx: Queryable,
  ownerId: string,
  profiles: readonly NewProfile[],
  linkWorkspaceId: string | null,
  createdMs: number,
): Promise<void> {
  if (profiles.length === 0) return;
  await tx.query(
    `INSERT INTO users (user_id, address, home_owner_id, link_workspace_id, first_name, last_name, phone, timezone,
       timezone_adjust_for_dst, time_format, created_at)
     SELECT "userId", email, $3, $4, "firstName", "lastName", phone, timezone, "timezoneAdjustForDst", "timeFormat",
       to_timestamp($2 / 1000.0)
     FROM jsonb_to_recordset($1::jsonb) AS r("userId" text, email text, "firstName" text, "lastName" text, phone text,
       timezone text, "timezoneAdjustForDst" boolean, "timeFormat" text)`,
    [JSON.stringify(profiles), createdMs, ownerId, linkWorkspaceId],
    'insert-profiles',
  );
}
