import { useEffect } from 'preact/hooks';
import { BoardCard } from '../../components/board-card.tsx';
import { dashboardsAddress } from '../../data/addresses.ts';
import { boards, followBoards, pinned } from '../../data/pages/dashboards.ts';
import { words } from '../../words/index.ts';

/** This many stand here while nobody has chosen any. */
const UNCHOSEN = 4;

/** Shows the dashboards that the person keeps here; without any, the first ones. Without dashboards there is nothing. */
export function Dashboards() {
  const { overview } = words.value;
  useEffect(followBoards, []);
  const all = boards.value;
  if (all.kind !== 'ready' || all.boards.length === 0) return null;
  const kept = pinned.value.flatMap((id) => all.boards.find(({ _id }) => _id === id) ?? []);
  const shown = kept.length > 0 ? kept : all.boards.slice(0, UNCHOSEN);
  return (
    <section class="boards-row" aria-labelledby="boards">
      <header>
        <h2 id="boards">{kept.length > 0 ? overview.myDashboards : overview.dashboards}</h2>
        {kept.length === 0 && <p class="soft">{overview.noPinned}</p>}
        <a href={dashboardsAddress()}>{overview.allDashboards}</a>
      </header>
      <div class="boards">
        {shown.map((board) => (
          <BoardCard key={board._id} board={board} />
        ))}
      </div>
    </section>
  );
}
