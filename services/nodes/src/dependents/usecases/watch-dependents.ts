import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { linesOf } from '../../copies/index.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { workspaceReferencesIn } from '../../domain/classes/references.ts';
import { nodesById } from '../../nodes/index.ts';
import { type AskedPath, type Found, lookUpAll, planPath, type Reader, readerOf } from '../../programs/index.ts';
import { pathsIn } from '../domain/program-paths.ts';
import { linkWarning, MAX_WARNINGS, pathWarning, type Warning } from '../domain/warnings.ts';
import { linkingNodes, type NamingProgram, programsNaming, targetsIn } from '../store/dependents-query.ts';

/** One change looks up this many paths of all programs. */
const MAX_PATHS = 5_000;

/** Returns what a change has broken; it is asked once the change is made. */
export type Watch = (on: Queryable) => Promise<Warning[]>;

/**
 * Notes before a node gets another name or customId what the paths of programs lead to (docs/reference/node-tree.md#warnings). Programs
 * that the caller does not see are left out.
 */
export const watchRename = (tx: Queryable, scope: Scope, node: StoredNode): Promise<Watch> =>
  watchPrograms(tx, scope, node, false);

/** Likewise before a branch moves; into another Workspace its links, and those to it, break too. */
export async function watchMove(
  tx: Queryable,
  scope: Scope,
  node: StoredNode,
  to: { readonly workspaceId: string },
): Promise<Watch> {
  const programs = await watchPrograms(tx, scope, node, true);
  const links = to.workspaceId === node.workspaceId ? [] : await linksAcross(tx, scope, node);
  return async (on) => [...(await programs(on)), ...(await named(on, scope.ownerId, links))];
}

async function watchPrograms(tx: Queryable, scope: Scope, node: StoredNode, below: boolean): Promise<Watch> {
  const reader = await readerOf(tx, scope);
  const candidates = (await programsNaming(tx, node, below)).filter((program) => reader.sees(program));
  const programs = withPaths(candidates);
  const before = await ledTo(tx, programs);
  return async (on) => {
    const nodes = await nodesById(
      on,
      scope.ownerId,
      programs.map(({ program }) => program.nodeId),
    );
    const now = new Map(nodes.map((node) => [node.nodeId, node]));
    const moved = programs.map((program) => ({
      ...program,
      program: { ...program.program, ...placeOf(now.get(program.program.nodeId)) },
    }));
    const after = await ledTo(on, moved);
    const broken = moved.flatMap(({ program, paths }, i) =>
      now.has(program.nodeId)
        ? paths.flatMap(({ path }, j) => {
            const message = pathWarning(path, nodesOf(before[i]?.[j]), nodesOf(after[i]?.[j]));
            return message === undefined ? [] : [{ nodeId: program.nodeId, message }];
          })
        : [],
    );
    return named(on, scope.ownerId, broken);
  };
}

type Program = { readonly program: NamingProgram; readonly paths: ReturnType<typeof pathsIn> };

function withPaths(candidates: readonly NamingProgram[]): Program[] {
  let left = MAX_PATHS;
  return candidates.flatMap((program) => {
    const paths = pathsIn(program.code);
    left -= paths.length;
    return left < 0 ? [] : [{ program, paths }];
  });
}

const placeOf = (node: StoredNode | undefined) =>
  node?.parentId == null ? {} : { parentId: node.parentId, workspaceId: node.workspaceId };

/** A program sees its Workspace alone; what AUTH opens to it lies in other accounts. */
const ledTo = (on: Queryable, programs: readonly Program[]): Promise<Found[][]> =>
  lookUpAll(
    on,
    programs.map(({ program, paths }) => {
      const isProcessor = nodeClass(program.class).kind === 'processor';
      const sees: AskedPath['sees'] = ({ ownerId, workspaceId }) =>
        ownerId === program.ownerId && workspaceId === program.workspaceId;
      const asked = paths.map(({ path, many }): AskedPath | string => {
        const plan = planPath(path, many, { ...program, isProcessor }, new Map());
        return typeof plan === 'string' ? plan : { plan, path, sees };
      });
      return { programId: program.nodeId, asked };
    }),
  );

const nodesOf = (found: Found | undefined) => (found && 'nodes' in found ? found.nodes : []);

/** Finds links between the branch and the rest of its Workspace. */
async function linksAcross(tx: Queryable, scope: Scope, node: StoredNode): Promise<Broken[]> {
  const reader: Reader = await readerOf(tx, scope);
  const linking = (await linkingNodes(tx, node)).filter((linkingNode) => reader.sees(linkingNode));
  const references = linking.map((link) => ({
    ...link,
    targets: [...workspaceReferencesIn(nodeClass(link.class), link.config)],
  }));
  const targets = await targetsIn(tx, node, [...new Set(references.flatMap((reference) => reference.targets))]);
  return references.flatMap(({ nodeId, class: name, isInBranch, targets: ids }) =>
    ids.flatMap((id) => {
      const target = targets.get(id);
      if (!target || target.isInBranch === isInBranch) return [];
      return [{ nodeId, message: linkWarning(nodeClass(name).kind, target.name) }];
    }),
  );
}

type Broken = { readonly nodeId: string; readonly message: string };

/** Adds the paths of the nodes; those beyond what an answer names need none. */
async function named(on: Queryable, ownerId: string, broken: readonly Broken[]): Promise<Warning[]> {
  const ids = new Set(broken.slice(0, MAX_WARNINGS).map(({ nodeId }) => nodeId));
  const lines = ids.size === 0 ? new Map() : await linesOf(on, ownerId, [...ids]);
  return broken.map(({ nodeId, message }) => {
    const line: { readonly name: string }[] | undefined = lines.get(nodeId);
    return { nodeId, ...(line && { path: line.map(({ name }) => name).join('/') }), message };
  });
}
