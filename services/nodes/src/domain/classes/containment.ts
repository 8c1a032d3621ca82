import { type DomainError, invalid } from '@catchment/errors';
import { isRoot, type NodeKind } from './node-class.ts';

export const MAX_DEPTH = 32;
export const MAX_NODES_PER_ACCOUNT = 100_000;
export const MAX_PARAMETERS_PER_SOURCE = 500;

/** Ancestors lead from the workspace to a parent, that parent last. */
export type Ancestor = { readonly kind: NodeKind };

const WORDS: Readonly<Record<NodeKind, string>> = {
  workspace: 'workspace',
  templates: 'Templates root',
  group: 'group',
  location: 'location',
  source: 'data source',
  processor: 'processor',
  attachmentSource: 'attachment source',
  attachment: 'attachment',
  parameter: 'parameter',
  chart: 'chart',
  dashboard: 'dashboard',
  report: 'report',
};

/**
 * Returns whether a node of `kind` may be put under a parent (docs/reference/node-tree.md#containment).
 * @param line the parent's line from the workspace down, the parent included; empty = directly under the account
 * @throws DomainError invalid_argument
 */
export function checkContainment(kind: NodeKind, line: readonly Ancestor[]): void {
  const parent = line.at(-1);
  if (isRoot({ kind })) {
    if (parent) throw wrong(`must not be given for a ${WORDS[kind]}`);
    return;
  }
  if (!parent) throw wrong('is required');
  checkPlace(kind, parent.kind, {
    depth: line.length,
    inLocation: line.some((ancestor) => ancestor.kind === 'location'),
  });
}

/** A node to be put somewhere, with all below it. */
export type Branch = { readonly nodeId: string; readonly parentId: string | null; readonly kind: NodeKind };

/**
 * Returns whether a whole branch may be put under a parent: what lies deep in it may not fit there either.
 * @param branch parents before their children, the root first
 * @throws DomainError invalid_argument
 */
export function checkBranchContainment(branch: readonly Branch[], line: readonly Ancestor[]): void {
  const root = branch[0];
  if (!root) return;
  checkContainment(root.kind, line);
  const inLocation = root.kind === 'location' || line.some((ancestor) => ancestor.kind === 'location');
  const places = new Map([[root.nodeId, { kind: root.kind, depth: line.length + 1, inLocation }]]);
  for (const node of branch.slice(1)) {
    const parent = places.get(node.parentId ?? '');
    if (!parent) throw new Error(`node ${node.nodeId} comes before its parent`);
    checkPlace(node.kind, parent.kind, parent);
    places.set(node.nodeId, {
      kind: node.kind,
      depth: parent.depth + 1,
      inLocation: parent.inLocation || node.kind === 'location',
    });
  }
}

/** @param place depth of the parent (a Workspace has 1), and whether the parent is or lies in a Location */
function checkPlace(kind: NodeKind, parent: NodeKind, place: { depth: number; inLocation: boolean }): void {
  if (place.depth >= MAX_DEPTH) throw wrong(`must not lie deeper than ${MAX_DEPTH - 1} levels`);
  if (mayContain(parent, place.inLocation).includes(kind)) return;
  const where = parent === 'group' ? `group ${place.inLocation ? 'inside' : 'outside'} a Location` : `${WORDS[parent]}`;
  throw wrong(`${withArticle(where)} may not contain ${withArticle(WORDS[kind])}`);
}

const withArticle = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

const wrong = (rule: string): DomainError => invalid('INVALID_PARENT', `parentId: ${rule}`);

const PAGES: readonly NodeKind[] = ['chart', 'dashboard', 'report'];
const OUTSIDE: readonly NodeKind[] = ['group', 'location', 'attachment', ...PAGES];
const INSIDE: readonly NodeKind[] = ['group', 'source', 'processor', 'attachmentSource', 'attachment', ...PAGES];

function mayContain(parent: NodeKind, inLocation: boolean): readonly NodeKind[] {
  switch (parent) {
    case 'workspace':
      return OUTSIDE;
    case 'templates':
      return ['group', 'location'];
    case 'location':
      return INSIDE;
    case 'group':
      return inLocation ? INSIDE : OUTSIDE;
    case 'source':
    case 'processor':
      return ['parameter'];
    case 'attachmentSource':
      return ['attachment'];
    case 'attachment':
    case 'parameter':
    case 'chart':
    case 'dashboard':
    case 'report':
      return [];
  }
}
