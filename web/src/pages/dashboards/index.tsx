import { useEffect, useState } from 'preact/hooks';
import { BoardCard } from '../../components/board-card.tsx';
import { boards, followBoards, pinned, readBoards } from '../../data/dashboards.ts';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { words } from '../../words/index.ts';
import '../../styles/console/boards.css';

/** All dashboards, those that the person keeps first. */
export default function DashboardsPage() {
  const { overview, frame, table, ui } = words.value;
  const [text, setText] = useState('');
  useEffect(followBoards, []);
  useEffect(() => {
    document.title = `${frame.dashboards} · Catchment`;
  }, [frame]);
  const all = boards.value;
  const found =
    all.kind === 'ready'
      ? all.boards.filter(({ name, description = '' }) =>
          `${name} ${description}`.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()),
        )
      : [];
  const isKept = ({ _id }: { _id: string }) => pinned.value.includes(_id);
  const shown = [...found.filter(isKept), ...found.filter((one) => !isKept(one))];
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{frame.dashboards}</h1>
        {all.kind === 'ready' && all.boards.length > 0 && (
          <input
            class="field"
            type="search"
            aria-label={table.filter}
            placeholder={table.filter}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </header>
      {all.kind === 'loading' && <Busy text={ui.loading} />}
      {all.kind === 'failed' && (
        <Problem text={overview.dashboardsFailed} again={() => void readBoards()} againText={ui.again} />
      )}
      {all.kind === 'ready' && all.boards.length === 0 && (
        <EmptyState icon="boards" title={overview.noDashboards}>
          {overview.noDashboardsText}
        </EmptyState>
      )}
      {all.kind === 'ready' && all.boards.length > 0 && shown.length === 0 && <p class="soft">{table.noMatch}</p>}
      <div class="boards">
        {shown.map((board) => (
          <BoardCard key={board._id} board={board} />
        ))}
      </div>
    </section>
  );
}
