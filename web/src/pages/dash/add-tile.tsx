import { useState } from 'preact/hooks';
import type { DraggedNode } from '../../data/nodes/node-drag.ts';
import { acceptsClass, kindOf, TILE_TYPES, type TileType } from '../../data/pages/tiles.ts';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Icon } from '../../ui/icon.tsx';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

const ICONS: Readonly<Record<TileType, IconName>> = {
  VALUE: 'number',
  STANDARD_CHART: 'pulse',
  VALUE_LIST: 'list',
  HISTORIC_TABLE: 'menu',
  SOLID_GAUGE: 'clock',
  CUSTOM_CHART: 'whole',
  LOCATION_MAP: 'map',
  ALARM_SUMMARY: 'bell',
  ATTACHMENT_IMAGE: 'file',
  STATIC_TEXT: 'pencil',
};

type AddTileProps = {
  readonly workspaceId: string;
  readonly onAdd: (type: TileType, found?: DraggedNode) => void;
  readonly onClose: () => void;
};

/** Asks for the type of a tile, then for the node that it shows: by the server's search, in the dashboard's own Workspace. */
export function AddTile({ workspaceId, onAdd, onClose }: AddTileProps) {
  const text = say();
  const { ui } = words.value;
  const [type, setType] = useState<TileType>();
  const choose = (type: TileType) => (kindOf(type).max === 0 ? onAdd(type) : setType(type));
  return (
    <Dialog
      title={type ? text.types[type] : text.addTitle}
      class="dash-add-dialog"
      onClose={onClose}
      closeText={ui.close}
    >
      {type === undefined ? (
        <ul class="dash-types">
          {TILE_TYPES.map((type) => (
            <li key={type}>
              <button type="button" onClick={() => choose(type)}>
                <Icon name={ICONS[type]} />
                <strong>{text.types[type]}</strong>
                <span>{text.about[type]}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div class="form">
          <p class="soft">{text.about[type]}</p>
          <NodeSearch
            key={type}
            label={text.linkSearch}
            hint={text.linkSearch}
            isFocused
            workspaceId={workspaceId}
            {...(kindOf(type).search !== '' && { class: kindOf(type).search })}
            accepts={({ _class }) => acceptsClass(type, _class)}
            onChoose={(found) => onAdd(type, found)}
          />
          <p class="buttons">
            <Button icon="left" onClick={() => setType(undefined)}>
              {text.back}
            </Button>
            <Button onClick={() => onAdd(type)}>{text.later}</Button>
          </p>
        </div>
      )}
    </Dialog>
  );
}
