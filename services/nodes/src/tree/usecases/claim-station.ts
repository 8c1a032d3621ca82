import { DomainError } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { invalidAttribute, isJsonObject, type JsonObject } from '../../domain/body/rule.ts';
import { type Config, isEnabled, transportOf } from '../../domain/classes/node.ts';
import { announceUpdated, saveSettings } from '../../nodes/index.ts';
import { holderOf, refusalsOn } from '../store/stations-query.ts';
import type { TreeDeps } from './deps.ts';
import type { Refusals } from './ports.ts';

/** An account may be refused this often on a day of UTC. */
const REFUSALS_MAX = 20;

const siteIdOf = (config: Config): string | undefined => {
  const { class: name, siteId } = transportOf(config);
  return name === 'TcpServer' && typeof siteId === 'string' ? siteId : undefined;
};

const isChosen = (body: JsonObject): boolean =>
  isJsonObject(body.transport) && typeof body.transport.siteId === 'string';

type Claim = {
  readonly ownerId: string;
  /** The configuration before the change; a new source has {}. */
  readonly before: Config;
  readonly after: Config;
  /** Body of the request. */
  readonly body: JsonObject;
};

/**
 * Takes the siteId of a source, which no protocol sends with a secret (docs/reference/acquisition.md#transports): one that people
 * choose may be another account's, and is refused then, few times a day and without a word about whose it is. A source that is
 * disabled, or of a disabled account, gives it up. Callers hold the account's lock.
 * @returns what to throw once the transaction, which counts the refusal, is committed
 */
export async function claimStation(
  { countRefusal }: Refusals,
  tx: Queryable,
  deps: Pick<TreeDeps, 'names' | 'now'>,
  { ownerId, before, after, body }: Claim,
): Promise<DomainError | undefined> {
  const siteId = siteIdOf(after);
  if (siteId === undefined || siteId === siteIdOf(before)) return undefined;
  const nowMs = deps.now();
  if (isChosen(body) && (await refusalsOn(tx, ownerId, nowMs)) >= REFUSALS_MAX) {
    const message = `transport.siteId: at most ${REFUSALS_MAX} chosen ones of an account are refused a day; leave it out and one is drawn`;
    return new DomainError('resource_exhausted', 'TOO_MANY_STATIONS', message);
  }
  const holder = await holderOf(tx, siteId);
  if (!holder) return undefined;
  const { node, isOfActiveAccount } = holder;
  if (isOfActiveAccount && isEnabled(node.config)) {
    // A siteId that was drawn is drawn again, once the index has refused it.
    if (!isChosen(body)) return undefined;
    await countRefusal(tx, ownerId, nowMs);
    return invalidAttribute('transport.siteId', 'cannot be used; choose another one, or leave it out and one is drawn');
  }
  const { siteId: _given, ...transport } = transportOf(node.config);
  const released = { ...node, config: { ...node.config, transport } };
  await saveSettings(tx, node, released);
  const cause = { timeMs: nowMs, username: 'System' };
  await announceUpdated({ tx, deps, cause }, [{ before: node, after: released, changed: ['transport'] }]);
  return undefined;
}
