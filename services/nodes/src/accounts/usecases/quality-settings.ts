import { type ApiCaller, type Caller, checkRevision, type RevisionMatch, revisionOf, scopeOf } from '@catchment/access';
import type { QualitySettings } from '@catchment/quality';
import { changeAccount, readOwner } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { changeQuality, readQuality } from '../domain/quality.ts';
import type { AccountsDeps } from './deps.ts';
import type { AccountBook } from './ports.ts';

/**
 * Returns the quality settings of an account (docs/reference/quality.md#quality-codes); services name the account in the request.
 * @throws DomainError not_found
 */
export async function getQuality(deps: AccountsDeps, caller: Caller, ownerId: string): Promise<QualitySettings> {
  return readQuality((await readOwner(deps.database, scopeOf(caller, ownerId).ownerId)).quality);
}

/** Returns the settings as the API shows them. */
export const qualityView = (settings: QualitySettings): JsonObject => ({ ...settings, revision: revisionOf(settings) });

/** @throws DomainError permission_denied, changed, invalid_argument naming the attribute */
export function updateQuality(
  { saveOwner, touchOwners }: AccountBook,
  deps: AccountsDeps,
  caller: ApiCaller,
  body: JsonObject,
  ifMatch: RevisionMatch | undefined,
): Promise<QualitySettings> {
  return changeAccount(deps, caller, async ({ tx, owner, logEvent }) => {
    const before = readQuality(owner.quality);
    checkRevision('table of quality codes', revisionOf(before), ifMatch);
    const after = changeQuality(before, body);
    const names = ['excluded', 'unspecified', 'unknown', 'codes'] as const;
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    if (changed.length > 0) {
      await saveOwner(tx, owner.owner_id, { quality: after });
      await touchOwners(tx, [owner.owner_id], 'configuration');
      logEvent('CONFIGURATION', `Updated ${changed.map((name) => `quality.${name}`).join(', ')}`);
    }
    return after;
  });
}
