import { renameNode } from '../../data/changes.ts';
import { ROOT, rereadLevel } from '../../data/levels.ts';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';

type Named = { readonly _id: string; readonly name: string; readonly parentId?: string; readonly revision?: number };

/** Gives a node another name, and offers the old one back. */
export async function rename(node: Named, given: string): Promise<void> {
  const name = given.trim();
  if (name === '' || name === node.name) return;
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
  } catch (error) {
    toast(errorText(error), { isBad: true });
    void rereadLevel(node.parentId ?? ROOT);
  }
}
