import { type Caller, checkModify, checkPermission, type Scope, usernameOf } from '@catchment/access';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError, invalid } from '@catchment/errors';
import { newObjectId, parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { lockOwner } from '../../changes/index.ts';
import { blankSettings } from '../../domain/classes/change-settings.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { MAX_NODES_PER_ACCOUNT } from '../../domain/classes/containment.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import {
  announceCreated,
  announceUpdated,
  childrenOf,
  countNodes,
  findNode,
  insertNodes,
  lookUp,
  type NewNode,
  nodeConfigs,
  saveSettings,
  type Updated,
} from '../../nodes/index.ts';
import { type TemplateDeps, templateOf } from '../../templates/index.ts';
import { type Column, matchColumns, type NewParameter, type Plan } from '../domain/match-columns.ts';
import { locationOfSource } from '../store/tree-query.ts';
import { notSource } from './resolve-nodes.ts';

const MAX_COLUMNS = 500;

/**
 * The parameter of each column of a data source write, found, adopted or made (docs/reference/writing.md#data-source-writes,
 * rules 2-6), all or nothing. Two calls that make the same column at once end with one parameter: the account is locked meanwhile.
 * @returns same order as the columns
 */
export async function ensureParameters(
  deps: TemplateDeps,
  caller: Caller,
  scope: Scope,
  sourceRef: string,
  columns: readonly Column[],
): Promise<NodeConfig[]> {
  checkModify(caller);
  if (columns.length > MAX_COLUMNS)
    throw invalid('INVALID_COLUMN', `header.columns: must have at most ${MAX_COLUMNS} entries`);
  const cause = { timeMs: deps.now(), username: usernameOf(caller) };
  return deps.database.transaction(async (tx) => {
    await lockOwner(tx, scope.ownerId);
    const source = await findNode(tx, scope, sourceRef);
    checkPermission(caller, source.workspaceId, 'EDIT_DATA');
    const { kind } = nodeClass(source.class);
    // Outputs of a processor are made by its program alone.
    const isOfProgram = kind === 'processor' && caller.kind === 'service' && caller.service === 'processing';
    if (kind !== 'source' && !isOfProgram) throw notSource();
    if ((await templateOf(tx, source)) !== undefined)
      throw new DomainError('failed_precondition', 'IN_TEMPLATE', 'id: sources of templates take no data');
    const parameters = await childrenOf(tx, scope.ownerId, source.nodeId);
    const plan = matchColumns(parameters, columns, {
      foreignRefs: await foreignRefs(tx, scope.ownerId, source.nodeId, columns),
      locationId: await locationOfSource(tx, scope.ownerId, source.nodeId),
    });
    const created = plan.created.map((parameter) => toNode(parameter, source, cause.timeMs));
    if (created.length > 0) {
      if ((await countNodes(tx, scope.ownerId)) + created.length > MAX_NODES_PER_ACCOUNT)
        throw invalid('TOO_MANY_NODES', `header.columns: an account may have at most ${MAX_NODES_PER_ACCOUNT} nodes`);
      await insertNodes(tx, created);
      await announceCreated({ tx, deps, cause }, scope.ownerId, created);
    }
    const adopted = adoptedIn(plan, parameters);
    for (const { before, after } of adopted) await saveSettings(tx, before, after);
    await announceUpdated({ tx, deps, cause }, adopted);
    const ids = plan.matches.map((match) => (match.kind === 'created' ? created[match.at]!.nodeId : match.nodeId));
    const configs = await nodeConfigs(tx, [...new Set(ids)], deps.names);
    return ids.map((id) => configs.get(id)!);
  });
}

/** Returns references to parameters of other sources, which are refused. Unknown ids are not: client libraries make some up. */
async function foreignRefs(tx: Queryable, ownerId: string, sourceId: string, columns: readonly Column[]) {
  const found = new Set<string>();
  for (const { id } of columns) {
    if (id === '' || found.has(id) || !parseNodeRef(id)) continue;
    const node = await lookUp(tx, ownerId, id);
    if (node && node.parentId !== sourceId && nodeClass(node.class).kind === 'parameter') found.add(id);
  }
  return found;
}

function toNode(parameter: NewParameter, source: StoredNode, createdMs: number): NewNode {
  const blank = blankSettings(nodeClass(parameter.class), newObjectId, parameter.isBoolean);
  return {
    ...blank,
    name: parameter.name,
    seriesKey: parameter.seriesKey,
    config: { ...blank.config, ...(parameter.units !== '' && { units: parameter.units }) },
    nodeId: newObjectId(createdMs),
    ownerId: source.ownerId,
    workspaceId: source.workspaceId,
    parentId: source.nodeId,
    class: parameter.class,
    isActive: true,
    createdMs,
  };
}

/** Parameters that take a key over keep everything else. */
const adoptedIn = (plan: Plan, parameters: readonly StoredNode[]): Updated[] =>
  plan.matches.flatMap((match) => {
    const before = match.kind === 'adopted' && parameters.find(({ nodeId }) => nodeId === match.nodeId);
    return before ? [{ before, after: { ...before, seriesKey: match.seriesKey }, changed: ['series'] }] : [];
  });
