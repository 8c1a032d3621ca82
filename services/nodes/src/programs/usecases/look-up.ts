import type { Queryable } from '@catchment/pg';
import { regexSize, textMatches } from '@catchment/states';
import { noNode, type PlannedPath } from '../domain/path.ts';
import { MAX_CHILDREN, type WalkedNode, walkedNodes } from '../store/paths-query.ts';

const MAX_MATCHES = 100;
/** All patterns of a look may take this many steps: some tens of milliseconds. */
const MAX_STEPS = 10_000_000;

/** A program names this path, and may name these nodes by it. */
export type AskedPath = {
  readonly plan: PlannedPath;
  /** The program writes this path. */
  readonly path: string;
  readonly sees: (node: WalkedNode) => boolean;
};

export type Found = { readonly nodes: readonly WalkedNode[] } | { readonly failure: string };

/**
 * Finds what the paths of a program lead to, all of them by one query.
 * @param asked why a path is none, in place of a path
 */
export async function lookUp(
  on: Queryable,
  programId: string,
  asked: readonly (AskedPath | string)[],
): Promise<Found[]> {
  const [found = []] = await lookUpAll(on, [{ programId, asked }]);
  return found;
}

/** Does so for several programs, still by one query. The patterns of all of them have one budget. */
export async function lookUpAll(
  on: Queryable,
  programs: readonly { readonly programId: string; readonly asked: readonly (AskedPath | string)[] }[],
): Promise<Found[][]> {
  const walks = programs.flatMap(({ asked }, program) =>
    asked.flatMap((question, path) => {
      if (typeof question === 'string') return [];
      return question.plan.walks.map((walk) => ({
        ...walk,
        program,
        path,
        below: question.plan.pattern !== undefined,
      }));
    }),
  );
  const ends = Map.groupBy(await walkedNodes(on, walks), ({ walk }) => walk);
  const ofPath = Map.groupBy(walks.entries(), ([, { program, path }]) => `${program} ${path}`);
  const budget = { steps: MAX_STEPS };
  return programs.map(({ programId, asked }, program) =>
    asked.map((question, path): Found => {
      if (typeof question === 'string') return { failure: question };
      for (const [walk] of ofPath.get(`${program} ${path}`) ?? []) {
        const picked = pick(question, ends.get(walk) ?? [], programId, budget);
        if ('failure' in picked || picked.nodes.length > 0) return picked;
      }
      return question.plan.pattern === undefined ? { failure: noNode(question.path) } : { nodes: [] };
    }),
  );
}

/** Returns the nodes that count among those that a walk has led to. */
function pick(
  { plan: { pattern }, path, sees }: AskedPath,
  ends: readonly WalkedNode[],
  programId: string,
  budget: { steps: number },
): Found {
  const seen = ends.filter(sees);
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
