/** A node that is dragged from the tree can be read under this type where it is dropped. */
export const NODE_DRAG = 'application/x-catchment-node';

export type DraggedNode = { readonly _id: string; readonly _class: string; readonly name: string };

/** Returns whether a node is dragged: while it moves, its kind is known and not which node it is. */
export const isNodeDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes(NODE_DRAG) ?? false;

/** The node that was dropped. */
export function draggedNode({ dataTransfer }: DragEvent): DraggedNode | undefined {
  try {
    const { _id, _class, name } = JSON.parse(dataTransfer?.getData(NODE_DRAG) ?? '') as Partial<DraggedNode>;
    return _id && _class ? { _id, _class, name: name ?? '' } : undefined;
  } catch {
    return undefined;
  }
}
