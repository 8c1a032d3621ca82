import { useRef } from 'preact/hooks';
import { words } from '../../words/index.ts';
import { pressed } from './tree-keys.ts';
import { TreeRow } from './tree-row.tsx';
import type { TreeState } from './use-tree.ts';

/** Draws the rows that are seen. */
export function TreeRows({ tree }: { readonly tree: TreeState }) {
  const { id, rows, virtual, at, root, renaming } = tree;
  // A line that comes into sight takes the element of one that has gone.
  const places = useRef(1);
  places.current = Math.max(places.current, virtual.items.length);
  return (
    <div
      ref={tree.scroller}
      class="tree-scroll"
      role="treegrid"
      tabIndex={0}
      aria-label={words.value.tree.title}
      aria-multiselectable
      aria-activedescendant={virtual.isDrawn(at) && rows[at] !== undefined ? `${id}-${at}` : undefined}
      aria-busy={root === undefined || root.isLoading}
      onKeyDown={(event) => pressed(event, tree)}
    >
      <div role="rowgroup" class="tree-rows" style={{ height: `${virtual.height}px` }}>
        {virtual.items.map(({ index, start: top }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <TreeRow
              // A field that is typed in stays with its node.
              key={row.key === renaming ? row.key : index % places.current}
              id={`${id}-${index}`}
              row={row}
              top={top}
              isActive={index === at}
              isCurrent={row.key === tree.current}
              isTarget={row.key === tree.target}
              isChosen={tree.chosen.keys.has(row.key)}
              isRenaming={row.key === renaming}
              acts={tree.acts}
            />
          );
        })}
      </div>
    </div>
  );
}
