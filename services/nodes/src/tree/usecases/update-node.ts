import { type ApiCaller, checkModify, checkRevision, type RevisionMatch, scopeOf } from '@catchment/access';
import { DomainError } from '@catchment/errors';
import { newPublicId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { lockOwner } from '../../changes/index.ts';
import { newPushKey } from '../../copies/index.ts';
import { type Watch, watchRename } from '../../dependents/index.ts';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { changeSettings } from '../../domain/classes/change-settings.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import { announceUpdated, childrenOf, type NodeChange, namingUnique, saveSettings } from '../../nodes/index.ts';
import {
  changeOverrides,
  checkUnlocked,
  findCurrent,
  followAgain,
  type TemplateDeps,
  templateChanged,
} from '../../templates/index.ts';
import { viewedNode } from '../../views/index.ts';
import { activityOf } from '../domain/checked-series.ts';
import { isFedBy } from '../store/tree-query.ts';
import { checkDevice } from './check-device.ts';
import { claimStation } from './claim-station.ts';
import { checkMayUpdate } from './may-update.ts';
import type { Activity, Controls, Refusals } from './ports.ts';
import { ruleContext } from './rule-context.ts';
import { controlAsked, setControl } from './set-control.ts';
import { type Changed, settled } from './settled.ts';

type Update = {
  readonly nodeRef: string;
  /** The body, or how it follows from the node. */
  readonly given: JsonObject | ((node: StoredNode) => JsonObject);
  /** The change is for these revisions. */
  readonly ifMatch: RevisionMatch | undefined;
};

/**
 * Changes what the body gives, all of it or nothing. Changes of one account come one after the other, so two bodies with
 * different attributes of one node both end up stored. Instances follow a node of their template.
 */
export async function updateNode(
  store: Activity & Controls & Refusals,
  deps: TemplateDeps,
  caller: ApiCaller,
  { nodeRef, given, ifMatch }: Update,
): Promise<Changed> {
  checkModify(caller);
  const nowMs = deps.now();
  const cause = { timeMs: nowMs, username: caller.username };
  let isDue = false;
  let watch: Watch | undefined;
  const node = await namingUnique(() =>
    deps.database.transaction(async (tx) => {
      const owner = await lockOwner(tx, caller.ownerId);
      const change = { tx, deps, cause };
      const node = await findCurrent(change, scopeOf(caller), nodeRef);
      const cls = nodeClass(node.class);
      checkMayUpdate(caller, node.workspaceId, []);
      checkRevision('node', node.revision, ifMatch);
      const body = typeof given === 'function' ? given(node) : given;
      const asked = controlAsked(node, body);
      const context = await ruleContext(tx, scopeOf(caller), owner.categories, { ...node, cls }, body);
      const rules = { names: deps.names, context, newPublicId, newPushKey, nowMs };
      const { settings, changed } = changeSettings(cls, node, body, rules);
      checkMayUpdate(caller, node.workspaceId, asked === undefined ? changed : [...changed, 'controlValue']);
      if (changed.length > 0) {
        const after = await withOverrides(tx, node, { ...node, ...settings });
        if (node.instanceId !== null) await checkUnlocked(tx, node, changed);
        if (changed.includes('transport')) await checkDevice(tx, { ...node, config: settings.config });
        const claim = { ownerId: node.ownerId, before: node.config, after: settings.config, body };
        const refusal = await claimStation(store, tx, deps, claim);
        if (refusal) return refusal;
        if (changed.includes('rating')) await checkRatingInput(tx, node.nodeId, settings.config);
        if (isCalledOtherwise(node, after)) watch = await watchRename(tx, scopeOf(caller), node);
        await saveSettings(tx, node, after);
        await announceUpdated(change, [{ before: node, after, changed }]);
        if (changed.includes('parser') || changed.includes('files')) await followParsers(store, change, node, after);
        isDue = await templateChanged(tx, node, cause);
        if (node.instanceId !== null && changed.includes('transport')) await followAgain(change, node.instanceId);
      }
      if (asked !== undefined)
        await setControl(store, tx, { ...node, ...settings }, asked, {
          isInTemplate: context.template !== undefined,
          cause,
        });
      return viewedNode(tx, node.nodeId);
    }),
  );
  if (node instanceof DomainError) throw node;
  return { node, warnings: await settled(deps, caller.ownerId, { isDue, watch }) };
}

/** Programs name nodes by name and by customId. */
const isCalledOtherwise = (before: StoredNode, after: StoredNode): boolean =>
  nameKey(after.name) !== nameKey(before.name) || after.customId !== before.customId;

/** Parameters are active as the parsers of their source read their series. */
async function followParsers(
  { saveActive }: Activity,
  change: NodeChange,
  before: StoredNode,
  after: StoredNode,
): Promise<void> {
  const parameters = await childrenOf(change.tx, before.ownerId, before.nodeId);
  const { active, inactive } = activityOf(before.config, after.config, parameters);
  for (const [nodes, isActive] of [
    [active, true],
    [inactive, false],
  ] as const) {
    if (nodes.length === 0) continue;
    const updated = nodes.map((node) => ({ before: node, after: { ...node, isActive }, changed: ['isActive'] }));
    await saveActive(
      change.tx,
      updated.map(({ after }) => after),
    );
    await announceUpdated(change, updated);
  }
}

async function withOverrides(tx: Queryable, before: StoredNode, after: StoredNode): Promise<StoredNode> {
  if (!before.config.overrides && !after.config.overrides) return after;
  return { ...after, config: await changeOverrides(tx, before, after) };
}

/**
 * A rating never feeds itself, however long the way (docs/reference/processing-and-ratings.md#ratings).
 * @throws DomainError invalid_argument
 */
async function checkRatingInput(tx: Queryable, nodeId: string, config: Config): Promise<void> {
  const input = (config.rating as { inputNodeId?: string } | undefined)?.inputNodeId;
  if (input !== undefined && (await isFedBy(tx, nodeId, input)))
    throw invalidAttribute('rating.inputNodeId', 'must not depend on this parameter itself');
}
