import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BoardCard } from '../../components/board-card.tsx';
import { boardEditAddress, nodeAddress } from '../../data/addresses.ts';
import { type Board, boards, followBoards, pinned, readBoards } from '../../data/pages/dashboards.ts';
import { mayCreatePages } from '../../data/pages/may-create-pages.ts';
import { client } from '../../data/requests/client.ts';
import { may } from '../../data/session/rights.ts';
import { type PageAction, PageActionDialog } from '../../parts/page-dialogs.tsx';
import { usePageTitle } from '../../parts/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { language, words } from '../../words/index.ts';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/boards.css';

/** Shows all dashboards, those that the person keeps first; made, named, copied and deleted here. */
export default function DashboardsPage() {
  const { overview, frame, table, ui } = words.value;
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [action, setAction] = useState<PageAction<Board>>();
  useEffect(followBoards, []);
  // The actions on a dashboard wait for their words; the list does not.
  useEffect(() => void loadWords().catch(() => undefined), [language.value]);
  usePageTitle(frame.dashboards);
  const all = boards.value;
  const found =
    all.kind === 'ready'
      ? all.boards.filter(({ name, description = '' }) =>
          `${name} ${description}`.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()),
        )
      : [];
  const isKept = ({ _id }: { _id: string }) => pinned.value.includes(_id);
  const shown = [...found.filter(isKept), ...found.filter((board) => !isKept(board))];
  const create = hasWords() && mayCreatePages() && (
    <Button look="main" icon="plus" onClick={() => setAction({ kind: 'create' })}>
      {say().create}
    </Button>
  );
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{frame.dashboards}</h1>
        {all.kind === 'ready' && all.boards.length > 0 && (
          <>
            <input
              class="field"
              type="search"
              aria-label={table.filter}
              placeholder={table.filter}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            {create}
          </>
        )}
      </header>
      {all.kind === 'loading' && <Busy text={ui.loading} />}
      {all.kind === 'failed' && (
        <Problem text={overview.dashboardsFailed} again={() => void readBoards()} againText={ui.again} />
      )}
      {all.kind === 'ready' && all.boards.length === 0 && (
        <EmptyState icon="boards" title={overview.noDashboards} action={create}>
          {overview.noDashboardsText}
        </EmptyState>
      )}
      {all.kind === 'ready' && all.boards.length > 0 && shown.length === 0 && <p class="soft">{table.noMatch}</p>}
      <div class="boards">
        {shown.map((board) => (
          <div key={board._id} class="board-place">
            <BoardCard board={board} />
            {hasWords() && may('CONFIGURE', board) && <Acts board={board} onAct={setAction} />}
          </div>
        ))}
      </div>
      {action && (
        <PageActionDialog
          action={action}
          text={say()}
          class="Dashboard"
          loses={lossOf}
          onChanged={() => void readBoards()}
          onClose={() => setAction(undefined)}
          onMade={(id) => route(boardEditAddress(id))}
        />
      )}
    </section>
  );
}

async function lossOf(id: string): Promise<{ readonly text: string; readonly isPublic: boolean }> {
  const { tiles = [], isPublic = false } = (await client.nodes.get(id, { attr: 'tiles,isPublic' })) as {
    readonly tiles?: readonly unknown[];
    readonly isPublic?: boolean;
  };
  return { text: say().deleteText(tiles.length), isPublic };
}

type ActsProps = { readonly board: Board; readonly onAct: (action: PageAction<Board>) => void };

function Acts({ board, onAct }: ActsProps) {
  const text = say();
  const { _id, name } = board;
  return (
    <p class="board-acts">
      <a class="button is-bare" href={boardEditAddress(_id)} aria-label={text.editOf(name)}>
        <Icon name="pencil" />
        {text.edit}
      </a>
      {board.isPublic && <span class="soft">{text.shared}</span>}
      <Menu
        label={text.actionsOf(name)}
        button={<Icon name="more" />}
        items={[
          { label: text.rename, icon: 'pencil', onSelect: () => onAct({ kind: 'rename', page: board }) },
          { label: text.clone, icon: 'copy', onSelect: () => onAct({ kind: 'clone', page: board }) },
          { label: text.settings, icon: 'gear', href: nodeAddress(_id, 'settings') },
          { label: text.delete, icon: 'trash', isDanger: true, onSelect: () => onAct({ kind: 'delete', page: board }) },
        ]}
      />
    </p>
  );
}
