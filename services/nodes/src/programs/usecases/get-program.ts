import { type Caller, scopeOf } from '@catchment/access';
import type { GetProgramRequest, Program, ProgramNode } from '@catchment/contracts/programs';
import { DomainError, notFound } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { maskKeys } from '../../domain/body/auth-keys.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { findNode, lineOf, processOf, programRef, sharedCodeOf } from '../../nodes/index.ts';
import { templatesRootOf } from '../../templates/index.ts';
import { type ProgramDeps, programNodes } from './program-nodes.ts';

/**
 * Finds the process parameter or processor that a reference names.
 * @throws DomainError not_found, permission_denied; for nodes of other classes and in templates failed_precondition, to services not_found
 */
export async function findProgramNode(
  on: Queryable,
  caller: Caller,
  ownerId: string,
  nodeRef: string,
): Promise<StoredNode & { readonly parentId: string }> {
  const node = await findNode(on, scopeOf(caller, ownerId), nodeRef);
  const { parentId } = node;
  const cls = nodeClass(node.class);
  const isProgram = Object.hasOwn(cls.attributes, 'process') && (cls.isComputed === true || cls.kind === 'processor');
  if (isProgram && parentId !== null && node.workspaceId !== (await templatesRootOf(on, node.ownerId)))
    return { ...node, parentId };
  if (caller.kind === 'service') throw notFound();
  throw new DomainError('failed_precondition', 'NO_PROGRAM', 'id: the node must be a process parameter or a processor');
}

/** A program with its surroundings. @throws DomainError as `findProgramNode` */
export async function getProgram(deps: ProgramDeps, caller: Caller, request: GetProgramRequest): Promise<Program> {
  const node = await findProgramNode(deps.database, caller, request.ownerId, request.nodeRef);
  const isProcessor = nodeClass(node.class).kind === 'processor';
  const line = await lineOf(deps.database, node.nodeId);
  const locationId = line.findLast((ancestor) => nodeClass(ancestor.class).kind === 'location')?.nodeId;
  const sourceId = isProcessor ? node.nodeId : node.parentId;
  const ids = new Set([node.nodeId, sourceId, node.workspaceId, ...(locationId === undefined ? [] : [locationId])]);
  const nodes = await programNodes(deps, node.ownerId, [...ids]);
  // Deleted meanwhile.
  const found = (nodeId: string): ProgramNode => {
    const input = nodes.get(nodeId);
    if (!input) throw notFound();
    return input;
  };
  const [workspace, source] = [found(node.workspaceId), found(sourceId)];
  const process = processOf(node.config);
  const isService = caller.kind === 'service';
  const sharedCode = sharedCodeOf(
    (await findNode(deps.database, { ownerId: node.ownerId, workspaceIds: undefined }, node.workspaceId)).config,
  );
  return {
    node: found(node.nodeId),
    digest: programRef(node.config)?.digest ?? '',
    code: isService ? (process?.code ?? '') : '',
    sharedCode: isService ? sharedCode : maskKeys(sharedCode),
    runMode: process?.runMode ?? 'ALL_INPUTS',
    qualityFilter: [...(process?.qualityFilter ?? [])],
    hasQualityFilter: process?.qualityFilter !== undefined,
    secondaryInputs: process?.secondaryInputs ?? 'INTERPOLATED',
    aggregateInputs: process?.aggregateInputs ?? 'PARTIAL',
    timezone: source.config?.source?.timezone ?? 'Etc/UTC',
    timezoneAdjustForDst: source.config?.source?.timezoneAdjustForDst ?? false,
    source,
    location: locationId === undefined ? undefined : found(locationId),
    workspace,
  };
}
