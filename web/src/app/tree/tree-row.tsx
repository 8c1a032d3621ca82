import { Component } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { alarmsAtPath } from '../../data/alarms/alarms.ts';
import { className } from '../../data/nodes/classes.ts';
import { NODE_DRAG } from '../../data/nodes/node-drag.ts';
import { iconOf } from '../../data/nodes/node-icons.ts';
import { may } from '../../data/session/rights.ts';
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
  readonly isRenaming: boolean;
  readonly acts: TreeActs;
};

/** The actions on rows. One object for as long as the tree is there: rows that move are not drawn anew for it. */
export type TreeActs = {
  /** Chooses one more row, or all from the last one on. */
  readonly choose: (row: NodeRow, isRange: boolean) => void;
  readonly enter: (row: Row) => void;
  readonly toggle: (row: NodeRow) => void;
  readonly openMenu: (row: NodeRow, at: DOMRect) => void;
  /** Undefined: as it was. @returns whether it is done: otherwise what was typed stays */
  readonly rename: (row: NodeRow, name: string | undefined) => Promise<boolean>;
  readonly drag: (row: NodeRow | undefined) => void;
  /** @returns whether it may be dropped there */
  readonly over: (row: NodeRow) => boolean;
  readonly drop: (row: NodeRow) => void;
};

/** A line is drawn again when something of it is another than before. */
export class TreeRow extends Component<TreeRowProps> {
  override shouldComponentUpdate(next: TreeRowProps): boolean {
    return (Object.keys(next) as (keyof TreeRowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render() {
    return <Drawn {...(this.props as TreeRowProps)} />;
  }
}

function Drawn(props: TreeRowProps) {
  const { id, row, top, isActive, acts } = props;
  const style = { top: `${top}px`, '--depth': row.depth };
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
          <button type="button" class="tree-more" tabIndex={-1} onClick={() => acts.enter(row)}>
            {row.kind === 'failed' && <Icon name="warning" />}
            {text}
          </button>
        )}
      </span>
    </div>
  );
}

function NodeLine(props: TreeRowProps & { readonly row: NodeRow }) {
  const { id, row, top, isActive, isCurrent, isTarget, isChosen, isRenaming, acts } = props;
  const { node, depth, isOpen, position, size } = row;
  const hasChildren = node.childCount > 0;
  const menu = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    acts.openMenu(row, new DOMRect(event.clientX, event.clientY, 0, 0));
  };
  return (
    <div
      id={id}
      role="row"
      class={`tree-row ${isActive ? 'is-active' : ''} ${isCurrent ? 'is-current' : ''} ${isChosen ? 'is-chosen' : ''} ${isTarget ? 'is-target' : ''}`}
      style={{ top: `${top}px`, '--depth': depth }}
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
        acts.choose(row, event.shiftKey);
      }}
      onDragStart={(event) => {
        event.dataTransfer?.setData('text/plain', node.name);
        // Parts of pages that take a node in read this, such as the editor of dashboards.
        event.dataTransfer?.setData(NODE_DRAG, JSON.stringify({ _id: node._id, _class: node._class, name: node.name }));
        acts.drag(row);
      }}
      onDragEnd={() => acts.drag(undefined)}
      onDragOver={(event) => {
        if (acts.over(row)) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        acts.drop(row);
      }}
    >
      <span role="gridcell" class="tree-cell">
        {hasChildren ? (
          <span class="tree-fold" onClick={() => acts.toggle(row)} aria-hidden="true">
            <Icon name={isOpen ? 'fold' : 'unfold'} />
          </span>
        ) : (
          <span class="tree-fold" />
        )}
        <span class="tree-kind" title={className(node._class)}>
          <Icon name={iconOf(node._class)} />
        </span>
        {isRenaming ? (
          <RenameField row={row} onRename={acts.rename} />
        ) : (
          <span
            class="tree-name"
            onClick={(event) => {
              if (!(event.shiftKey || event.ctrlKey || event.metaKey)) acts.enter(row);
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
          onClick={(event) => acts.openMenu(row, event.currentTarget.getBoundingClientRect())}
        >
          <Icon name="more" />
        </button>
      </span>
    </div>
  );
}

/** Shows what is raised at a node and below it: a sign and a number, and words for readers who do not see them. */
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

function RenameField({ row, onRename }: { readonly row: NodeRow; readonly onRename: TreeActs['rename'] }) {
  const ref = useRef<HTMLInputElement>(null);
  const [isSaving, setSaving] = useState(false);
  // The field loses the focus within the key that leaves it, before anything is drawn.
  const isLeft = useRef(false);
  // The focus comes before the next key: a person who types on at once writes into the field.
  useLayoutEffect(() => {
    ref.current!.focus();
    ref.current!.select();
  }, []);
  const done = async (name: string | undefined) => {
    if (isLeft.current) return;
    isLeft.current = true;
    setSaving(true);
    if (await onRename(row, name)) return;
    isLeft.current = false;
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
