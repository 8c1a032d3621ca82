import { useState } from 'preact/hooks';
import type { DraggedNode } from '../../data/nodes/node-drag.ts';
import { BLOCK_TYPES, type BlockType } from '../../data/pages/reports.ts';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

const ICONS: Readonly<Record<BlockType, IconName>> = {
  TEXT: 'pencil',
  IMAGE: 'pulse',
  TABLE: 'list',
  LINE: 'minus',
  FRAME: 'whole',
  BARCODE: 'menu',
  PAGE_BREAK: 'file',
};
/** These blocks show something of a node. */
const OF_NODES: readonly BlockType[] = ['TEXT', 'IMAGE', 'TABLE', 'BARCODE'];

type AddBlockProps = {
  readonly workspaceId: string;
  /** A frame holds no further frames, and no breaks. */
  readonly isInside: boolean;
  readonly onAdd: (type: BlockType, found?: DraggedNode) => void;
  readonly onClose: () => void;
};

/** Asks for the type of a block, then for the node that it shows. */
export function AddBlock({ workspaceId, isInside, onAdd, onClose }: AddBlockProps) {
  const text = say();
  const { ui } = words.value;
  const [type, setType] = useState<BlockType>();
  const types = isInside ? BLOCK_TYPES.filter((type) => type !== 'FRAME' && type !== 'PAGE_BREAK') : BLOCK_TYPES;
  return (
    <Dialog
      title={type ? text.types[type] : text.addTitle}
      class="dash-add-dialog"
      onClose={onClose}
      closeText={ui.close}
    >
      {type === undefined ? (
        <ul class="dash-types">
          {types.map((type) => (
            <li key={type}>
              <button type="button" onClick={() => (OF_NODES.includes(type) ? setType(type) : onAdd(type))}>
                <Icon name={ICONS[type]} />
                <strong>{text.types[type]}</strong>
                <span>{text.about[type]}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div class="form">
          <p class="soft">{text.addNode}</p>
          <NodeSearch
            label={text.linkSearch}
            hint={text.linkSearch}
            isFocused
            workspaceId={workspaceId}
            onChoose={(found) => onAdd(type, found)}
          />
          <p class="buttons">
            <Button icon="left" onClick={() => setType(undefined)}>
              {text.back}
            </Button>
            <Button onClick={() => onAdd(type)}>{text.withoutNode}</Button>
          </p>
        </div>
      )}
    </Dialog>
  );
}
