import { isAdministrator } from '../../data/session/rights.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { words } from '../../words/index.ts';
import { askedAction } from './asked-action.tsx';
import { itemsOf, itemsOfSeveral } from './items.ts';
import { TreeRows } from './tree-rows.tsx';
import { type TreeState, useTree } from './use-tree.ts';

/** Shows all nodes of the account: a level is read when it is opened, and only lines that are seen are drawn. */
export function Tree({ onGo }: { readonly onGo?: () => void }) {
  const { tree: text } = words.value;
  const tree = useTree(onGo);
  const { root, chosen } = tree;
  const isEmpty = root !== undefined && !root.isLoading && root.error === undefined && root.children.length === 0;
  return (
    <section class="tree" aria-label={text.title}>
      <header class="tree-head">
        <h2>{text.title}</h2>
        {isAdministrator() && (
          <Button
            look="bare"
            icon="plus"
            aria-label={text.newWorkspace}
            title={text.newWorkspace}
            onClick={() => {
              askedAction.value = { kind: 'create' };
            }}
          />
        )}
      </header>
      {isEmpty ? (
        <EmptyState icon="cube" title={text.emptyTitle}>
          {isAdministrator() ? text.emptyAdmin : text.emptyUser}
        </EmptyState>
      ) : (
        <TreeRows tree={tree} />
      )}
      <p class="unseen" role="status">
        {chosen.keys.size > 0 && `${text.chosen(chosen.keys.size)}. ${text.chooseKeys}`}
      </p>
      {tree.menu && <RowMenu tree={tree} menu={tree.menu} />}
    </section>
  );
}

type RowMenuProps = { readonly tree: TreeState; readonly menu: NonNullable<TreeState['menu']> };

/** Offers what may be done with a row, or with all that are chosen with it. */
function RowMenu({ tree, menu: { row, at } }: RowMenuProps) {
  const several = tree.meant(row);
  return (
    <ContextMenu
      label={words.value.tree.actions(row.node.name)}
      at={at}
      items={
        several.length > 1
          ? itemsOfSeveral(several, (kind) => tree.startSeveral(kind, several), tree.letGo)
          : itemsOf(row, (kind) => tree.start(row, kind), tree.onGo)
      }
      onClose={tree.closeMenu}
    />
  );
}
