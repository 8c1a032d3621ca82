import { renameNode } from '../../data/nodes/changes.ts';
import { ROOT, rereadLevel } from '../../data/tree/levels.ts';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';

type Named = { readonly _id: string; readonly name: string; readonly parentId?: string; readonly revision?: number };

/** Gives a node another name, and offers the old one back. @returns whether there is nothing more to do */
export async function rename(node: Named, given: string): Promise<boolean> {
  const name = given.trim();
  if (name === '' || name === node.name) return true;
  const { tree, ui } = words.value;
  try {
    const { warnings = [], revision } = await renameNode(node._id, name, node.revision);
    void rereadLevel(node.parentId ?? ROOT);
    const said = tree.renamed(node.name, name);
    toast(warnings.length === 0 ? said : `${said} ${tree.renameWarnings(warnings.length)}`, {
      action: {
        label: ui.undo,
        run: () => rename({ ...node, name, ...(revision !== undefined && { revision }) }, node.name),
      },
    });
    return true;
  } catch (error) {
    toast(errorText(error), { isBad: true });
    void rereadLevel(node.parentId ?? ROOT);
    return false;
  }
}
