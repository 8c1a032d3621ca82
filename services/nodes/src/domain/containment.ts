import { invalid } from '@catchment/errors';
import type { NodeKind } from './node-class.ts';

export const MAX_DEPTH = 32;
export const MAX_NODES_PER_ACCOUNT = 100_000;
export const MAX_PARAMETERS_PER_SOURCE = 500;

/** A node on the way from the workspace to a parent, that parent last. */
export type Ancestor = { readonly kind: NodeKind };

/**
 * Whether a node of `kind` may be put under a parent (semantics 4.2).
 * @param line the parent's line from the workspace down, the parent included; empty = directly under the account
 * @throws DomainError invalid_argument
 */
export function checkContainment(kind: NodeKind, line: readonly Ancestor[]): void {
  const parent = line.at(-1);
  const wrong = (rule: string) => invalid('INVALID_PARENT', `parentId: ${rule}`);
  if (kind === 'workspace') {
    if (parent) throw wrong('must not be given for a Workspace');
    return;
  }
  if (!parent) throw wrong('is required');
  if (line.length >= MAX_DEPTH) throw wrong(`must not lie deeper than ${MAX_DEPTH - 1} levels`);
  const inLocation = line.some((one) => one.kind === 'location');
  const may = mayContain(parent.kind, inLocation);
  if (!may.includes(kind)) {
    const where = parent.kind === 'group' ? `group ${inLocation ? 'inside' : 'outside'} a Location` : parent.kind;
    throw wrong(`a ${where} may not contain a ${kind}`);
  }
}

function mayContain(parent: NodeKind, inLocation: boolean): readonly NodeKind[] {
  switch (parent) {
    case 'workspace':
      return ['group', 'location'];
    case 'location':
      return ['group', 'source'];
    case 'group':
      return inLocation ? ['group', 'source'] : ['group', 'location'];
    case 'source':
      return ['parameter'];
    case 'parameter':
      return [];
  }
}
