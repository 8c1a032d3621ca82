import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { alarmsAtPath } from '../../data/alarms.ts';
import { className } from '../../data/classes.ts';
import { iconOf } from '../../data/node-icons.ts';
import { may } from '../../data/rights.ts';
import { Icon } from '../../ui/icon.tsx';
import { words } from '../../words/index.ts';
import type { NodeRow, Row } from './rows.ts';

type TreeRowProps = {
  readonly id: string;
  readonly row: Row;
  readonly top: number;
  readonly isActive: boolean;
  readonly isCurrent: boolean;
  readonly isTarget: boolean;
  readonly isChosen: boolean;
  /** Together with others: one more, or all from the last one on. */
  readonly onChoose: (row: NodeRow, isRange: boolean) => void;
  readonly isRenaming: boolean;
  readonly onEnter: () => void;
  readonly onToggle: (row: NodeRow) => void;
  readonly onMenu: (row: NodeRow, at: DOMRect) => void;
  /** Undefined: as it was. @returns whether it is done: otherwise what was typed stays */
  readonly onRename: (row: NodeRow, name: string | undefined) => Promise<boolean>;
  readonly onDrag: (row: NodeRow | undefined) => void;
  /** @returns whether it may be dropped there */
  readonly onOver: (row: NodeRow) => boolean;
  readonly onDrop: (row: NodeRow) => void;
};

export function TreeRow(props: TreeRowProps) {
  const { id, row, top, isActive } = props;
  const style = { transform: `translateY(${top}px)`, '--depth': row.depth };
  if (row.kind === 'node') return <NodeLine {...props} row={row} />;
  const { tree } = words.value;
  const text = row.kind === 'more' ? tree.more(String(row.shown)) : row.kind === 'failed' ? tree.failed : tree.loading;
  return (
    <div
      id={id}
      role="row"
      class={`tree-row is-${row.kind} ${isActive ? 'is-active' : ''}`}
      style={style}
      aria-level={row.depth}
    >
      <span role="gridcell" class="tree-cell">
        {row.kind === 'loading' ? (
          <span class="busy-bar">
            <span class="unseen">{text}</span>
          </span>
        ) : (
          <button type="button" class="tree-more" tabIndex={-1} onClick={props.onEnter}>
            {row.kind === 'failed' && <Icon name="warning" />}
            {text}
          </button>
        )}
      </span>
    </div>
  );
}

function NodeLine(props: TreeRowProps & { readonly row: NodeRow }) {
  const { id, row, top, isActive, isCurrent, isTarget, isChosen, isRenaming } = props;
  const { node, depth, isOpen, position, size } = row;
  const hasChildren = node.childCount > 0;
  const menu = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    props.onMenu(row, new DOMRect(event.clientX, event.clientY, 0, 0));
  };
  return (
    <div
      id={id}
      role="row"
      class={`tree-row ${isActive ? 'is-active' : ''} ${isCurrent ? 'is-current' : ''} ${isChosen ? 'is-chosen' : ''} ${isTarget ? 'is-target' : ''}`}
      style={{ transform: `translateY(${top}px)`, '--depth': depth }}
      aria-level={depth}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isChosen}
      aria-current={isCurrent ? 'page' : undefined}
      draggable={!isRenaming && node.parentId !== undefined && may('CONFIGURE', node)}
      onContextMenu={menu}
      onClick={(event) => {
        if (!(event.shiftKey || event.ctrlKey || event.metaKey) || isRenaming) return;
        event.preventDefault();
        props.onChoose(row, event.shiftKey);
      }}
      onDragStart={(event) => {
        event.dataTransfer?.setData('text/plain', node.name);
        props.onDrag(row);
      }}
      onDragEnd={() => props.onDrag(undefined)}
      onDragOver={(event) => {
        if (props.onOver(row)) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        props.onDrop(row);
      }}
    >
      <span role="gridcell" class="tree-cell">
        {hasChildren ? (
          <span class="tree-fold" onClick={() => props.onToggle(row)} aria-hidden="true">
            <Icon name={isOpen ? 'fold' : 'unfold'} />
          </span>
        ) : (
          <span class="tree-fold" />
        )}
        <span class="tree-kind" title={className(node._class)}>
          <Icon name={iconOf(node._class)} />
        </span>
        {isRenaming ? (
          <RenameField row={row} onRename={props.onRename} />
        ) : (
          <span
            class="tree-name"
            onClick={(event) => {
              if (!(event.shiftKey || event.ctrlKey || event.metaKey)) props.onEnter();
            }}
            title={node.name}
            dir="auto"
          >
            <span class="unseen">{`${className(node._class)}: `}</span>
            {node.name}
          </span>
        )}
      </span>
      <Marks row={row} />
      <span role="gridcell" class="tree-dots">
        <button
          type="button"
          class="button is-bare is-sign"
          tabIndex={-1}
          aria-label={words.value.tree.actions(node.name)}
          onClick={(event) => props.onMenu(row, event.currentTarget.getBoundingClientRect())}
        >
          <Icon name="more" />
        </button>
      </span>
    </div>
  );
}

/** What is raised at a node and below it: a sign and a number, and words for who does not see them. */
function Marks({ row }: { readonly row: NodeRow }) {
  const { active, acknowledged } = alarmsAtPath(row.path);
  if (active + acknowledged === 0) return <span role="gridcell" class="tree-mark" />;
  const text = words.value.tree.alarms(active, acknowledged);
  return (
    <span role="gridcell" class={`tree-mark ${active > 0 ? 'is-active' : 'is-acknowledged'}`} title={text}>
      <Icon name={active > 0 ? 'bell' : 'check'} />
      <span aria-hidden="true">{active > 0 ? active : acknowledged}</span>
      <span class="unseen">{text}</span>
    </span>
  );
}

function RenameField({ row, onRename }: { readonly row: NodeRow; readonly onRename: TreeRowProps['onRename'] }) {
  const ref = useRef<HTMLInputElement>(null);
  const [isSaving, setSaving] = useState(false);
  // Before the next key comes: who types on at once writes into the field.
  useLayoutEffect(() => {
    ref.current!.focus();
    ref.current!.select();
  }, []);
  const done = async (name: string | undefined) => {
    if (isSaving) return;
    setSaving(true);
    if (await onRename(row, name)) return;
    setSaving(false);
    ref.current?.focus();
  };
  return (
    <input
      ref={ref}
      class={isSaving ? 'field tree-rename is-busy' : 'field tree-rename'}
      readOnly={isSaving}
      aria-busy={isSaving}
      aria-label={words.value.tree.renameLabel(row.node.name)}
      defaultValue={row.node.name}
      dir="auto"
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') void done(event.currentTarget.value);
        if (event.key === 'Escape') void done(undefined);
      }}
      onBlur={(event) => void done(event.currentTarget.value)}
    />
  );
}
