import { useState } from 'preact/hooks';
import { dashboardAddress } from '../../data/addresses.ts';
import { draggedNode, isNodeDrag } from '../../data/nodes/node-drag.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import type { BoardTile } from '../../data/pages/tiles.ts';
import { DraftHead, DraftTrouble } from '../../parts/draft-head.tsx';
import { formWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { AddTile } from './add-tile.tsx';
import { BoardTiles } from './board-tiles.tsx';
import { labelOfChange, saidOf } from './change-words.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { LiveTile } from './live-tile.tsx';
import { readable } from './readable.ts';
import { ShareDialog } from './share-dialog.tsx';
import { tileName } from './tile-name.ts';
import { TilePanel } from './tile-panel.tsx';
import { type EditorState, useEditor } from './use-editor.ts';
import { say } from './words.ts';

type Open = { readonly kind: 'add' } | { readonly kind: 'share' } | { readonly kind: 'copy'; readonly tile: BoardTile };
type SetOpen = (open: Open | undefined) => void;

const WIDE = '(width >= 50rem)';

/** Shows the room of a dashboard that is being made: what can be done with all of it, its tiles, and what is set of the chosen one. */
export function Editor({ node }: { readonly node: Node }) {
  const text = say();
  const editor = useEditor(node);
  const [open, setOpen] = useState<Open>();
  const isWide = useMedia(WIDE);
  const { board, room } = editor;
  return (
    <section
      ref={room}
      class={editor.chosen ? 'page dash-page has-panel' : 'page dash-page'}
      aria-labelledby="title"
      onDragOver={(event) => {
        if (!isNodeDrag(event)) return;
        event.preventDefault();
        room.current!.dataset.over = '';
      }}
      onDragLeave={(event) => {
        if (!room.current!.contains(event.relatedTarget as globalThis.Node | null)) delete room.current!.dataset.over;
      }}
      onDrop={(event) => {
        delete room.current!.dataset.over;
        const found = draggedNode(event);
        if (!found) return;
        event.preventDefault();
        void editor.take(found);
      }}
    >
      <Head editor={editor} setOpen={setOpen} />
      <p id="dash-keys" class={isWide && board.tiles.length > 0 ? 'dash-keys' : 'unseen'}>
        {text.gridKeys}
      </p>
      <Room editor={editor} isWide={isWide} setOpen={setOpen} />
      <p class="unseen" aria-live="polite">
        {editor.said}
      </p>
      {open && <OpenDialog editor={editor} open={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

type RegionProps = { readonly editor: EditorState; readonly setOpen: SetOpen };

/** Draws what can be done with all of the dashboard, and what keeps it from being saved. */
function Head({ editor: { node, board }, setOpen }: RegionProps) {
  const text = say();
  return (
    <>
      <DraftHead
        node={node}
        draft={board}
        text={text}
        first={
          <Button class="dash-add" icon="plus" onClick={() => setOpen({ kind: 'add' })}>
            {text.add}
          </Button>
        }
        last={
          <a class="button is-quiet" href={dashboardAddress(node._id)} target="_blank" rel="noreferrer">
            {text.view}
          </a>
        }
        onShare={() => setOpen({ kind: 'share' })}
      />
      <DraftTrouble
        draft={board}
        refusal={board.refusal && readable(board.refusal, formWords().label)}
        words={{ ...formWords(), label: (name) => labelOfChange(name, board.tiles) }}
        saidOf={saidOf}
      />
    </>
  );
}

/** Draws the tiles, and beside them what is set of the chosen one. */
function Room({ editor, isWide, setOpen }: RegionProps & { readonly isWide: boolean }) {
  const text = say();
  const { node, board, chosen } = editor;
  const liveOf = (tile: BoardTile) => (
    <LiveTile
      boardId={node._id}
      tile={tile}
      name={tileName(tile)}
      onRefused={(problem) => editor.refuse(tile._id, problem)}
    />
  );
  return (
    <div class="dash-room">
      {board.tiles.length === 0 && (
        <EmptyState
          icon="boards"
          title={text.nothing}
          action={
            <Button look="main" icon="plus" onClick={() => setOpen({ kind: 'add' })}>
              {text.add}
            </Button>
          }
        >
          {text.nothingText}
        </EmptyState>
      )}
      <BoardTiles editor={editor} isWide={isWide} liveOf={liveOf} />
      {chosen && (
        <TilePanel
          key={chosen._id}
          tile={chosen}
          name={tileName(chosen)}
          problem={editor.problemOf(chosen)}
          live={isWide ? undefined : liveOf(chosen)}
          onChange={board.put}
          onClose={editor.close}
          onDouble={() => editor.double(chosen)}
          onCopy={() => setOpen({ kind: 'copy', tile: chosen })}
          onRemove={() => editor.remove(chosen)}
        />
      )}
    </div>
  );
}

type OpenDialogProps = { readonly editor: EditorState; readonly open: Open; readonly onClose: () => void };

function OpenDialog({ editor, open, onClose }: OpenDialogProps) {
  const { node } = editor;
  switch (open.kind) {
    case 'add':
      return (
        <AddTile
          workspaceId={String(node.workspaceId ?? '')}
          onClose={onClose}
          onAdd={(type, found) => {
            onClose();
            editor.add(type, found);
          }}
        />
      );
    case 'copy':
      return <CopyDialog tile={open.tile} from={node} onClose={onClose} />;
    case 'share':
      return <ShareDialog node={node} isUnsaved={editor.board.count > 0} onClose={onClose} />;
  }
}
