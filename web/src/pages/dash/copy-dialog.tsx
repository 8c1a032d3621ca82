import { useEffect, useState } from 'preact/hooks';
import { boardEditAddress } from '../../data/addresses.ts';
import { type Node, rereadNode, updateNode } from '../../data/nodes/nodes.ts';
import { type Board, boards, followBoards } from '../../data/pages/dashboards.ts';
import { type BoardTile, freeRoom, MOST_TILES, newTileId } from '../../data/pages/tiles.ts';
import { client } from '../../data/requests/client.ts';
import { isOvertaken } from '../../data/requests/failures.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { tileName } from './tile-name.ts';
import { say } from './words.ts';

const MOST_SHOWN = 8;

type CopyDialogProps = { readonly tile: BoardTile; readonly from: Node; readonly onClose: () => void };

/** Puts a copy of a tile on another dashboard, below what stands there. */
export function CopyDialog({ tile, from, onClose }: CopyDialogProps) {
  const text = say();
  const { ui, overview, table } = words.value;
  const [q, setQ] = useState('');
  const [into, setInto] = useState<Board>();
  const [problem, setProblem] = useState('');
  useEffect(followBoards, []);
  const all = boards.value;
  const found =
    all.kind === 'ready'
      ? all.boards
          .filter(
            ({ _id, name }) => _id !== from._id && name.toLocaleLowerCase().includes(q.trim().toLocaleLowerCase()),
          )
          .slice(0, MOST_SHOWN)
      : [];
  const breaks = into && into.workspaceId !== from.workspaceId ? tile.links.length : 0;
  const copy = async () => {
    if (!into) return;
    setProblem('');
    try {
      await append(into._id, tile);
      toast(text.copied(tileName(tile), into.name));
      onClose();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <Dialog title={text.copyTitle(tileName(tile))} onClose={onClose} closeText={ui.close}>
      <div class="form">
        <label>
          <span>{text.copySearch}</span>
          <input type="search" autocomplete="off" value={q} onInput={(event) => setQ(event.currentTarget.value)} />
        </label>
        {all.kind === 'failed' && <p class="problem">{overview.dashboardsFailed}</p>}
        <ul class="dash-boards">
          {found.map((node) => (
            <li key={node._id}>
              <label>
                <input type="radio" name="board" checked={into?._id === node._id} onChange={() => setInto(node)} />
                <bdi>{node.name}</bdi>
              </label>
            </li>
          ))}
          {all.kind === 'ready' && found.length === 0 && <li class="soft">{table.noMatch}</li>}
        </ul>
        {breaks > 0 && <p class="problem">{text.copyBreaks(breaks)}</p>}
        {into && (
          <p>
            <a href={boardEditAddress(into._id)}>{text.editOf(into.name)}</a>
          </p>
        )}
        <DialogAnswers
          problem={problem}
          main={text.copy}
          isDisabled={!into || breaks > 0}
          onMain={copy}
          cancel={ui.cancel}
          onCancel={onClose}
        />
      </div>
    </Dialog>
  );
}

const TRIES = 3;

/** Somebody may be at work there: what they save meanwhile stays. */
async function append(id: string, tile: BoardTile): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const { tiles = [], revision } = (await client.nodes.get(id, { attr: 'tiles,revision' })) as {
      tiles?: readonly BoardTile[];
      revision?: number;
    };
    if (tiles.length >= MOST_TILES) throw new Error(say().full(MOST_TILES));
    const copy = { ...tile, ...freeRoom(tiles, tile), _id: newTileId() };
    try {
      await updateNode(id, { tiles: [...tiles, copy] }, revision);
      void rereadNode(id);
      return;
    } catch (error) {
      if (!isOvertaken(error) || tried === TRIES) throw error;
    }
  }
}
