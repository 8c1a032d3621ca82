import type { Queryable } from '@catchment/pg';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { referencesIn } from '../../domain/classes/references.ts';
import { type Relink, relativePath, relinkCode } from '../domain/clone.ts';
import { descend, linesOf, type Step } from '../store/pg-branch.ts';

/** Targets looked for by their path when a branch is copied into another workspace; further ones stay broken. */
const MAX_LOOKED_FOR = 5_000;

/** Where a branch comes from and goes to: lines from the workspace down to the parents, empty for a Workspace. */
export type Places = { readonly from: readonly Step[]; readonly to: readonly Step[]; readonly workspaceId: string };

/** References and program text of a branch that is copied (docs/reference/node-tree.md#clone). @param places.name of the new root */
export async function branchLinks(
  tx: Queryable,
  branch: readonly StoredNode[],
  copies: ReadonlyMap<string, string>,
  places: Places & { readonly name: string },
): Promise<{ readonly relink: Relink; readonly relinkCode: (code: string) => string }> {
  const relink = await relinking(tx, branch, copies, places);
  const paths = { from: pathOf(places.from, branch[0]?.name ?? ''), to: pathOf(places.to, places.name) };
  const customIds = new Map(branch.flatMap((one) => (one.customId === null ? [] : [[`@${one.customId}`, one.nodeId]])));
  const copyOf = (reference: string) => copies.get(customIds.get(reference) ?? reference);
  return { relink, relinkCode: (code) => relinkCode(code, copyOf, paths) };
}

const pathOf = (line: readonly Step[], name: string): string =>
  `/${[...line.map((step) => step.name), name].join('/')}`;

/**
 * Adjusts the references of a branch that is copied (docs/reference/node-tree.md#clone): inside it they name the
 * copies; others stay when their target is in the workspace of the copy, else the node of the same relative path and class is taken, and
 * failing that they are kept as broken.
 */
async function relinking(
  tx: Queryable,
  branch: readonly StoredNode[],
  copies: ReadonlyMap<string, string>,
  places: Places,
): Promise<Relink> {
  const outside = new Set<string>();
  for (const node of branch)
    for (const reference of referencesIn(nodeClass(node.class), node.config))
      if (!copies.has(reference)) outside.add(reference);
  const others = await foundElsewhere(tx, branch[0]?.ownerId ?? '', [...outside], places);
  return (reference) => {
    const copy = copies.get(reference) ?? others.get(reference);
    return { nodeId: copy ?? reference, isBroken: copy === undefined };
  };
}

async function foundElsewhere(tx: Queryable, ownerId: string, targets: readonly string[], places: Places) {
  const found = new Map<string, string>();
  if (targets.length === 0) return found;
  let lookedFor = 0;
  for (const [targetId, line] of await linesOf(tx, ownerId, targets)) {
    const target = line.at(-1);
    if (target?.workspaceId === places.workspaceId) {
      found.set(targetId, targetId);
      continue;
    }
    const path = relativePath(places.from, line);
    const start = path && places.to.at(places.to.length - 1 - path.up);
    if (!path || !start || path.up >= places.to.length || lookedFor >= MAX_LOOKED_FOR) continue;
    lookedFor += 1;
    const same = await descend(tx, start.nodeId, path.down);
    if (same && same.class === target?.class) found.set(targetId, same.nodeId);
  }
  return found;
}
