import type { ComponentChildren } from 'preact';
import type { BoardTile } from '../../data/pages/tiles.ts';
import { Button } from '../../ui/button.tsx';
import { Grid } from './grid.tsx';
import { tileName } from './tile-name.ts';
import { type EditorState, labelOf } from './use-editor.ts';
import { say } from './words.ts';

type BoardTilesProps = {
  readonly editor: EditorState;
  readonly isWide: boolean;
  readonly liveOf: (tile: BoardTile) => ComponentChildren;
};

/** Draws the tiles in their grid; on a narrow page they stand one below the other, as on the live page, and are put by their numbers. */
export function BoardTiles({ editor, isWide, liveOf }: BoardTilesProps) {
  const text = say();
  const { tiles } = editor.board;
  const onKey = (tile: BoardTile, { key, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey) return false;
    if (key === 'Enter' || key === ' ') editor.choose(tile._id);
    else if (key === 'Delete' || key === 'Backspace') editor.remove(tile);
    else if (key === 'd') editor.double(tile);
    else return false;
    return true;
  };
  if (isWide)
    return (
      <Grid
        label={text.grid}
        describedBy="dash-keys"
        tiles={tiles}
        chosenId={editor.chosenId}
        labelOf={labelOf}
        onPlaced={editor.place}
        onEdge={(tile) => editor.setSaid(text.edge(tileName(tile)))}
        onChoose={editor.choose}
        onKey={onKey}
      >
        {liveOf}
      </Grid>
    );
  return (
    <ul class="dash-column" aria-label={text.grid}>
      {tiles.map((tile) => (
        <li key={tile._id} data-kind={tile.type}>
          <div class="dash-column-tile">{liveOf(tile)}</div>
          <Button data-tile={tile._id} icon="pencil" onClick={() => editor.choose(tile._id)}>
            {text.editOf(tileName(tile))}
          </Button>
        </li>
      ))}
    </ul>
  );
}
