import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import {
  accountAddress,
  alarmsAddress,
  dashboardsAddress,
  devicesAddress,
  eventsAddress,
  installationAddress,
  meAddress,
  overviewAddress,
  peopleAddress,
  reportsAddress,
  templatesAddress,
} from '../data/addresses.ts';
import { activeText } from '../data/alarms/alarms.ts';
import { start } from '../data/session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/index.ts';
import { isPaletteOpen } from './palette.tsx';
import { Tree } from './tree/tree.tsx';

/** Shows what is needed first on a phone, by thumb. */
export function PhoneBar() {
  const { frame } = words.value;
  const { path } = useLocation();
  const [isMore, setMore] = useState(false);
  const active = activeText();
  const here = (address: string) => (path === address ? ('page' as const) : undefined);
  return (
    <>
      <nav class="phone-bar" aria-label={frame.navigation}>
        <a href={overviewAddress()} aria-current={here(overviewAddress())}>
          <Icon name="map" />
          <span>{frame.overview}</span>
        </a>
        <a href={alarmsAddress()} aria-current={here(alarmsAddress())}>
          <Icon name="bell" />
          <span>{frame.alarms}</span>
          {active !== undefined && <span class="count is-bad">{active}</span>}
        </a>
        <button
          type="button"
          onClick={() => {
            isPaletteOpen.value = true;
          }}
        >
          <Icon name="search" />
          <span>{frame.search}</span>
        </button>
        <a href={dashboardsAddress()} aria-current={here(dashboardsAddress())}>
          <Icon name="boards" />
          <span>{frame.dashboards}</span>
        </a>
        <button type="button" aria-expanded={isMore} onClick={() => setMore(true)}>
          <Icon name="menu" />
          <span>{frame.menu}</span>
        </button>
      </nav>
      {isMore && <More onClose={() => setMore(false)} />}
    </>
  );
}

function More({ onClose }: { readonly onClose: () => void }) {
  const { frame, ui } = words.value;
  return (
    <Dialog title={frame.menu} class="sheet" onClose={onClose} closeText={ui.close}>
      <div class="sheet-links">
        <a class="button is-quiet" href={eventsAddress()} onClick={onClose}>
          <Icon name="pulse" />
          {frame.events}
        </a>
        <a class="button is-quiet" href={reportsAddress()} onClick={onClose}>
          <Icon name="file" />
          {frame.reports}
        </a>
        <a class="button is-quiet" href={devicesAddress()} onClick={onClose}>
          <Icon name="source" />
          {frame.devices}
        </a>
        <a class="button is-quiet" href={templatesAddress()} onClick={onClose}>
          <Icon name="copy" />
          {frame.templates}
        </a>
        <a class="button is-quiet" href={peopleAddress()} onClick={onClose}>
          <Icon name="person" />
          {frame.people}
        </a>
        <a class="button is-quiet" href={accountAddress()} onClick={onClose}>
          <Icon name="gear" />
          {frame.account}
        </a>
        {start().isOperator && (
          <a class="button is-quiet" href={installationAddress()} onClick={onClose}>
            <Icon name="cube" />
            {frame.installation}
          </a>
        )}
        <a class="button is-quiet" href={meAddress()} onClick={onClose}>
          <Icon name="person" />
          {frame.profile}
        </a>
      </div>
      <Tree onGo={onClose} />
    </Dialog>
  );
}
