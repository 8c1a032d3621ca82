import type { Queryable } from '@catchment/pg';
import { nameKey } from '../../domain/body/names.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { referencesIn } from '../../domain/classes/references.ts';
import { namedIn, pathInCopy, type Relink, relativePath, relinkCode } from '../domain/clone.ts';
import { descend, idsOfCustomIds, linesOf, type Step } from '../store/branch-query.ts';

/** This many targets are looked for by their path when a branch is copied into another workspace; further ones stay broken. */
const MAX_LOOKED_FOR = 5_000;
/** The same holds for paths in program text. */
const MAX_PATHS = 500;

/**
 * A branch comes from one place and goes to the other: lines from the workspace down to the parents, empty for a
 * Workspace.
 */
export type Places = { readonly from: readonly Step[]; readonly to: readonly Step[]; readonly workspaceId: string };

/**
 * Returns what relinks references and program text of a copied branch (docs/reference/node-tree.md#clone).
 * @param places.name of the new root
 */
export async function branchLinks(
  tx: Queryable,
  branch: readonly StoredNode[],
  copies: ReadonlyMap<string, string>,
  places: Places & { readonly name: string },
): Promise<{ readonly relink: Relink; readonly relinkCode: (code: string) => string }> {
  const ownerId = branch[0]?.ownerId ?? '';
  const texts = branch.flatMap((node) => codeOf(node));
  const named = texts.map(namedIn);
  const customIds = new Map(
    branch.flatMap((node) => (node.customId === null ? [] : [[`@${node.customId}`, node.nodeId]])),
  );
  const elsewhere = new Set(
    named
      .flatMap(({ references }) => references)
      .filter((reference) => !copies.has(reference) && !customIds.has(reference)),
  );
  for (const [customId, nodeId] of await idsOfCustomIds(
    tx,
    ownerId,
    [...elsewhere].filter((reference) => reference.startsWith('@')),
  ))
    customIds.set(customId, nodeId);
  const idOf = (reference: string) => customIds.get(reference) ?? reference;
  const relink = await relinking(tx, branch, copies, places, [...elsewhere].map(idOf));
  const [from, to] = [namesOf(places.from, branch[0]?.name ?? ''), namesOf(places.to, places.name)];
  const paths = await pathsElsewhere(
    tx,
    named.flatMap((node) => node.paths),
    places,
  );
  // A customId that names a node of this Workspace may stay as it is.
  const nodeFor = (reference: string) => {
    const { nodeId, isBroken } = relink(idOf(reference));
    return isBroken || nodeId === idOf(reference) ? undefined : nodeId;
  };
  const pathFor = (path: string) => pathInCopy(path, from, to) ?? paths.get(path);
  return { relink, relinkCode: (code) => relinkCode(code, nodeFor, pathFor) };
}

const namesOf = (line: readonly Step[], name: string): string[] => [...line.map((step) => step.name), name];

/** Most nodes have none. */
const codeOf = ({ config }: StoredNode): string[] =>
  [(config.process as { code?: unknown } | undefined)?.code, config.sharedCode].filter(
    (code) => typeof code === 'string',
  );

/** Finds absolute paths to nodes of the old Workspace, by the same relative path in the new one; those that lead nowhere are left out. */
async function pathsElsewhere(tx: Queryable, paths: readonly string[], places: Places): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (places.from[0]?.nodeId === places.to[0]?.nodeId) return found;
  for (const path of [...new Set(paths)].slice(0, MAX_PATHS)) {
    const line = path.slice(1).split('/').map(nameKey);
    let common = 0;
    while (common < places.from.length && nameKey(places.from[common]?.name ?? '') === line[common]) common += 1;
    const start = places.to[places.to.length - 1 - (places.from.length - common)];
    const down = line.slice(common);
    if (common === 0 || !start || !(await descend(tx, start.nodeId, down))) continue;
    const above = places.to.slice(0, places.to.indexOf(start) + 1).map(({ name }) => name);
    found.set(path, `/${[...above, ...path.slice(1).split('/').slice(common)].join('/')}`);
  }
  return found;
}

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
  namedByCode: readonly string[],
): Promise<Relink> {
  const outside = new Set<string>(namedByCode);
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
