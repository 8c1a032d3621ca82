import { type Caller, checkModify, checkPermission, scopeOf } from '@catchment/access';
import type { ResolvedPath, ResolvePathsRequest, ResolvePathsResponse } from '@catchment/contracts/programs';
import { invalid } from '@catchment/errors';
import { regexSize, textMatches } from '@catchment/states';
import { authGrants, keptKey } from '../../domain/body/auth-keys.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { processOf } from '../../nodes/index.ts';
import { isOutputName, noNode, type PlannedPath, planPath } from '../domain/path.ts';
import { MAX_CHILDREN, type WalkedNode, walkedNodes } from '../store/pg-paths.ts';
import { findProgramNode } from './get-program.ts';
import { grantedReaders, type Reader, readerOf } from './path-readers.ts';
import { type ProgramDeps, programNodes } from './program-nodes.ts';

const MAX_PATHS = 200;
const MAX_GRANTS = 100;
const MAX_PATTERNS = 25;
const MAX_MATCHES = 100;
/** Steps of all patterns of a call: some tens of milliseconds. */
const MAX_STEPS = 10_000_000;

type Found = { readonly nodes: readonly WalkedNode[] } | { readonly failure: string };

/**
 * What paths of a program name (docs/reference/processing-and-ratings.md#paths): nodes of its Workspace that the caller sees, and
 * those that the keys of AUTH open. All paths are looked up in one query.
 * @throws DomainError as `findProgramNode`; permission_denied without CONFIGURE; invalid_argument
 */
export async function resolvePaths(
  deps: ProgramDeps,
  caller: Caller,
  { ownerId, nodeRef, paths, grants }: ResolvePathsRequest,
): Promise<ResolvePathsResponse> {
  if (paths.length > MAX_PATHS) throw invalid('INVALID_ARGUMENT', `paths: must be at most ${MAX_PATHS}`);
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
  const own = await readerOf(deps.database, scopeOf(caller, ownerId), program.workspaceId);
  const slugs = new Map(grants.map(({ slug }) => [slug, opened.get(slug)?.[0]?.ownerId ?? '']));
  let patterns = 0;
  const plans = paths.map(({ path, many }) => {
    if (many) patterns += 1;
    if (patterns > MAX_PATTERNS) return `a program has at most ${MAX_PATTERNS} calls of NODES`;
    return planPath(path, many, { ...program, isProcessor }, slugs);
  });

  const walks = plans.flatMap((plan, path) =>
    typeof plan === 'string' ? [] : plan.walks.map((walk) => ({ ...walk, path, below: plan.pattern !== undefined })),
  );
  const reached = Map.groupBy(await walkedNodes(deps.database, walks), ({ walk }) => walk);
  const budget = { steps: MAX_STEPS };
  const found = plans.map((plan, i): Found => {
    if (typeof plan === 'string') return { failure: plan };
    const { path } = paths[i]!;
    const readers = plan.slug === undefined ? [own] : opened.get(plan.slug);
    if (!readers) return { failure: `the key of AUTH('${plan.slug}') opens no such account` };
    for (const [walk, { path: of }] of walks.entries()) {
      if (of !== i) continue;
      const picked = pick(plan, reached.get(walk) ?? [], readers, program.nodeId, path, budget);
      if ('failure' in picked || picked.nodes.length > 0) return picked;
    }
    return plan.pattern === undefined ? { failure: noNode(path) } : { nodes: [] };
  });

  const byId = await loaded(deps, found);
  return {
    paths: found.map((one, i): ResolvedPath => {
      const [{ path }, plan] = [paths[i]!, plans[i]!];
      if ('failure' in one) {
        const isBare = typeof plan !== 'string' && plan.isBare && plan.pattern === undefined;
        return {
          nodes: [],
          failure: one.failure,
          mayDeclare: isProcessor && isBare && isOutputName(path),
          isOutput: false,
        };
      }
      const nodes = one.nodes.flatMap(({ nodeId }) => byId.get(nodeId) ?? []);
      const isGone = nodes.length < one.nodes.length;
      const isOutput = one.nodes.length > 0 && one.nodes.every(({ parentId }) => parentId === program.nodeId);
      return { nodes, failure: isGone ? noNode(path) : '', mayDeclare: false, isOutput: isProcessor && isOutput };
    }),
  };
}

/** Of what a walk has led to, what counts. */
function pick(
  { pattern }: PlannedPath,
  ends: readonly WalkedNode[],
  readers: readonly Reader[],
  programId: string,
  path: string,
  budget: { steps: number },
): Found {
  const seen = ends.filter((node) => readers.some((reader) => reader.ownerId === node.ownerId && reader.sees(node)));
  if (pattern === undefined) return { nodes: seen };
  // Names of siblings differ in more than their case.
  const insensitive = `(?i)${pattern}`;
  const size = pattern === '' ? undefined : regexSize(insensitive);
  if (size === undefined) return { failure: `'${pattern}' is no regular expression (RE2 syntax, not too large)` };
  if (ends.length > MAX_CHILDREN) return { failure: `'${path}' is looked for among more than ${MAX_CHILDREN} nodes` };
  budget.steps -= seen.reduce((sum, { name }) => sum + size * name.length, 0);
  if (budget.steps < 0) return { failure: `'${path}' takes too long: its names and patterns are too many` };
  const nodes = seen.filter(
    (node) => node.nodeId !== programId && textMatches(`/${insensitive}/`, node.name.normalize('NFC')),
  );
  return nodes.length > MAX_MATCHES ? { failure: `'${path}' matches more than ${MAX_MATCHES} nodes` } : { nodes };
}

async function loaded(deps: ProgramDeps, found: readonly Found[]) {
  const byOwner = new Map<string, Set<string>>();
  for (const one of found)
    for (const { ownerId, nodeId } of 'nodes' in one ? one.nodes : [])
      byOwner.set(ownerId, (byOwner.get(ownerId) ?? new Set()).add(nodeId));
  const maps = await Promise.all([...byOwner].map(([ownerId, ids]) => programNodes(deps, ownerId, [...ids])));
  return new Map(maps.flatMap((one) => [...one]));
}
