import { invalidAttribute } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type Ancestor, checkBranchContainment } from '../../domain/classes/containment.ts';
import { isRoot } from '../../domain/classes/node-class.ts';

type Placed = { readonly nodeId: string; readonly class: string };

/**
 * Checks that a node may leave its place, and that all of its branch may lie in the new one (docs/reference/node-tree.md#containment).
 * @param branch the node with all below it
 * @param line the new parent and the nodes above it
 * @throws DomainError invalid_argument
 */
export function checkMove(
  node: Placed,
  branch: readonly (Placed & { readonly parentId: string | null })[],
  line: readonly (Ancestor & { readonly nodeId: string })[],
): void {
  const { kind } = nodeClass(node.class);
  if (isRoot({ kind })) throw invalidAttribute('id', 'a Workspace or the root of the templates cannot be moved');
  if (kind === 'parameter') throw invalidAttribute('id', 'a parameter cannot leave its data source');
  if (line.some(({ nodeId }) => nodeId === node.nodeId))
    throw invalidAttribute('parentId', 'must not be the node itself or lie below it');
  checkBranchContainment(
    branch.map(({ nodeId, parentId, class: className }) => ({ nodeId, parentId, kind: nodeClass(className).kind })),
    line,
  );
}

/**
 * The template in which a node moves; undefined: it moves outside of all. Nodes in a template stay in it, other nodes stay out
 * (docs/reference/node-tree.md#containment, docs/reference/templates.md#instances).
 * @param between the templates in which the node and its new parent lie
 * @throws DomainError invalid_argument
 */
export function templateOfMove(
  { nodeId, instanceId }: { readonly nodeId: string; readonly instanceId: string | null },
  between: { readonly from: string | undefined; readonly to: string | undefined; readonly parentClass: string },
): string | undefined {
  if (instanceId !== null && instanceId !== nodeId)
    throw invalidAttribute('id', 'the node follows a template: move it there, or unlink the instance');
  const { from, to, parentClass } = between;
  if (from !== to || (to === undefined && parentClass === 'Templates'))
    throw invalidAttribute('parentId', 'a node cannot be moved into, out of or between templates; clone it');
  return to;
}
