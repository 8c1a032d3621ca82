import { onOneLine } from '../command-line/answer.ts';

export type Part = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly parentId?: string | undefined;
  readonly customId?: string | undefined;
  readonly units?: string | undefined;
  readonly path?: string | undefined;
  readonly currentTime?: string | undefined;
  readonly currentValue?: unknown;
};

/** A branch is a part with what lies below it. */
export type Branch = Omit<Part, 'parentId'> & { readonly nodes: Branch[] };

/** Returns nodes as trees, siblings by name. A node whose parent is not among them is a root. */
export function treesOf(parts: readonly Part[]): Branch[] {
  const byId = new Map(parts.map(({ parentId: _, ...part }) => [part._id, { ...part, nodes: [] as Branch[] }]));
  const roots: Branch[] = [];
  for (const { _id, parentId } of parts) {
    const branch = byId.get(_id) as Branch;
    const parent = parentId === undefined ? undefined : byId.get(parentId);
    (parent ? parent.nodes : roots).push(branch);
  }
  for (const { nodes } of byId.values()) nodes.sort(byName);
  return roots.sort(byName);
}

const byName = (a: Branch, b: Branch): number => a.name.localeCompare(b.name, 'en', { numeric: true });

/** The branch of a node, wherever it is. */
export function branchOf(trees: readonly Branch[], isWanted: (branch: Branch) => boolean): Branch | undefined {
  const left = [...trees];
  for (let branch = left.pop(); branch; branch = left.pop()) {
    if (isWanted(branch)) return branch;
    for (const below of branch.nodes) left.push(below);
  }
  return undefined;
}

/** @param levels 1 = the roots alone */
export const truncated = (trees: readonly Branch[], levels: number): Branch[] =>
  trees.map((tree) => ({ ...tree, nodes: levels > 1 ? truncated(tree.nodes, levels - 1) : [] }));

/** Yields a line for each node, with the lines that join it to its parent. */
export function* linesOf(trees: readonly Branch[], hasValues: boolean): Generator<string> {
  for (const root of trees) {
    yield labelOf(root, hasValues);
    yield* linesBelow(root.nodes, hasValues, '');
  }
}

function* linesBelow(nodes: readonly Branch[], hasValues: boolean, indent: string): Generator<string> {
  for (const [n, branch] of nodes.entries()) {
    const isLast = n === nodes.length - 1;
    yield `${indent}${isLast ? '└─ ' : '├─ '}${labelOf(branch, hasValues)}`;
    yield* linesBelow(branch.nodes, hasValues, `${indent}${isLast ? '   ' : '│  '}`);
  }
}

/** `Gage height  @stage  NumberPoint  ft` */
export function labelOf(part: Omit<Part, 'parentId'>, hasValues: boolean): string {
  const { _id, _class, name, path, customId, units, currentTime, currentValue } = part;
  const kind = _class.slice(_class.lastIndexOf('.') + 1);
  const hasValue = hasValues && currentValue !== undefined && currentValue !== null;
  const value = hasValue ? `${textOf(currentValue)} at ${currentTime ?? 'an unknown time'}` : '';
  const parts = [path ?? name, customId ? `@${customId}` : _id, kind, units ?? '', value];
  return parts.filter(Boolean).map(onOneLine).join('  ');
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
