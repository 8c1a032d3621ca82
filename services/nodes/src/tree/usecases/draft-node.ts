import { type ApiCaller, checkModify, checkPermission, scopeOf } from '@catchment/access';
import { newPublicId } from '@catchment/ids';
import { newPushKey } from '../../copies/index.ts';
import { parseBody } from '../../domain/body/parse-body.ts';
import { changeSettings } from '../../domain/classes/change-settings.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { NodeDeps } from '../../nodes/index.ts';
import type { ViewedNode } from '../../views/index.ts';
import { ruleContext } from './rule-context.ts';

/**
 * Makes a dashboard or a chart as it would be with the attributes of a body; nothing is saved. Those who may save it may ask
 * (docs/reference/dashboards-and-reports.md#previews, docs/reference/charts.md#previews).
 * @param draft public JSON; absent = the node as it is
 * @throws DomainError invalid_argument naming the attribute, permission_denied
 */
export async function draftNode(
  { database, names, now }: NodeDeps,
  caller: ApiCaller,
  node: ViewedNode,
  draft: Uint8Array | undefined,
): Promise<ViewedNode> {
  if (draft === undefined) return node;
  checkModify(caller);
  checkPermission(caller, node.workspaceId, 'CONFIGURE');
  const body = parseBody(draft);
  const cls = nodeClass(node.class);
  const context = await ruleContext(database, scopeOf(caller), [], { ...node, cls }, body);
  const change = { names, context, newPublicId, newPushKey, nowMs: now() };
  return { ...node, ...changeSettings(cls, node, body, change).settings };
}
