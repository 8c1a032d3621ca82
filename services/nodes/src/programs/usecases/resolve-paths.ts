import { type Caller, checkModify, checkPermission, scopeOf } from '@catchment/access';
import { PATHS_MAX } from '@catchment/contracts/program-limits';
import type { ResolvedPath, ResolvePathsRequest, ResolvePathsResponse } from '@catchment/contracts/programs';
import { invalid } from '@catchment/errors';
import { authGrants, keptKey } from '../../domain/body/auth-keys.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { processOf } from '../../nodes/index.ts';
import { isOutputName, noNode, planPath } from '../domain/path.ts';
import { findProgramNode } from './get-program.ts';
import { type AskedPath, type Found, lookUp } from './look-up.ts';
import { grantedReaders, readerOf } from './path-readers.ts';
import { type ProgramDeps, programNodes } from './program-nodes.ts';

const MAX_GRANTS = 100;
const MAX_PATTERNS = 25;

/**
 * Returns what paths of a program name (docs/reference/processing-and-ratings.md#paths): nodes of its Workspace that
 * the caller sees, and those that the keys of AUTH open. All paths are looked up in one query.
 * @throws DomainError as `findProgramNode`; permission_denied without CONFIGURE; invalid_argument
 */
export async function resolvePaths(
  deps: ProgramDeps,
  caller: Caller,
  { ownerId, nodeRef, paths, grants }: ResolvePathsRequest,
): Promise<ResolvePathsResponse> {
  if (paths.length > PATHS_MAX) throw invalid('INVALID_ARGUMENT', `paths: must be at most ${PATHS_MAX}`);
  if (grants.length > MAX_GRANTS) throw invalid('INVALID_ARGUMENT', `grants: must be at most ${MAX_GRANTS}`);
  const program = await findProgramNode(deps.database, caller, ownerId, nodeRef);
  // The keys of its stored program open accounts to whoever may save one there.
  checkModify(caller);
  checkPermission(caller, program.workspaceId, 'CONFIGURE');
  const isProcessor = nodeClass(program.class).kind === 'processor';
  // A program that is tried out has the keys of the stored one masked, as they were shown.
  const known = authGrants(processOf(program.config)?.code ?? '');
  const opened = await grantedReaders(
    deps,
    grants.map((grant) => ({ slug: grant.slug, key: keptKey(grant, known) })),
  );
  const programReader = await readerOf(deps.database, scopeOf(caller, ownerId), program.workspaceId);
  const slugs = new Map(grants.map(({ slug }) => [slug, opened.get(slug)?.[0]?.ownerId ?? '']));
  let patterns = 0;
  const plans = paths.map(({ path, many }) => {
    if (many) patterns += 1;
    if (patterns > MAX_PATTERNS) return `a program has at most ${MAX_PATTERNS} calls of NODES`;
    return planPath(path, many, { ...program, isProcessor }, slugs);
  });

  const asked = plans.map((plan, i): AskedPath | string => {
    if (typeof plan === 'string') return plan;
    const readers = plan.slug === undefined ? [programReader] : opened.get(plan.slug);
    if (!readers) return `the key of AUTH('${plan.slug}') opens no such account`;
    return {
      plan,
      path: paths[i]!.path,
      sees: (node) => readers.some((reader) => reader.ownerId === node.ownerId && reader.sees(node)),
    };
  });
  const found = await lookUp(deps.database, program.nodeId, asked);
  const byId = await loaded(deps, found);
  return {
    paths: found.map((result, i): ResolvedPath => {
      const [{ path }, plan] = [paths[i]!, plans[i]!];
      if ('failure' in result) {
        const isBare = typeof plan !== 'string' && plan.isBare && plan.pattern === undefined;
        return {
          nodes: [],
          failure: result.failure,
          mayDeclare: isProcessor && isBare && isOutputName(path),
          isOutput: false,
        };
      }
      const nodes = result.nodes.flatMap(({ nodeId }) => byId.get(nodeId) ?? []);
      const isGone = nodes.length < result.nodes.length;
      const isOutput = result.nodes.length > 0 && result.nodes.every(({ parentId }) => parentId === program.nodeId);
      return { nodes, failure: isGone ? noNode(path) : '', mayDeclare: false, isOutput: isProcessor && isOutput };
    }),
  };
}

async function loaded(deps: ProgramDeps, found: readonly Found[]) {
  const byOwner = new Map<string, Set<string>>();
  for (const path of found)
    for (const { ownerId, nodeId } of 'nodes' in path ? path.nodes : [])
      byOwner.set(ownerId, (byOwner.get(ownerId) ?? new Set()).add(nodeId));
  const maps = await Promise.all([...byOwner].map(([ownerId, ids]) => programNodes(deps, ownerId, [...ids])));
  return new Map(maps.flatMap((nodes) => [...nodes]));
}
