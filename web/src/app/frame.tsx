import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import {
  accountAddress,
  alarmsAddress,
  dashboardsAddress,
  devicesAddress,
  eventsAddress,
  installationAddress,
  overviewAddress,
  peopleAddress,
  reportsAddress,
  templatesAddress,
} from '../data/addresses.ts';
import { activeText } from '../data/alarms/alarms.ts';
import { lostAccount, start } from '../data/session/session.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { words } from '../words/index.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { Head } from './head.tsx';
import { Help, isHelpOpen } from './help.tsx';
import { isPaletteOpen, Palette } from './palette.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { listenForShortcuts } from './shortcuts.ts';
import { AskedAction } from './tree/asked-action.tsx';
import { Tree } from './tree/tree.tsx';

/** The style sheet has the same width: a phone has the tree behind its last button. */
const wide = matchMedia('(width >= 48rem)');
const isWide = signal(wide.matches);
wide.addEventListener('change', () => {
  isWide.value = wide.matches;
});

/** Draws what is around every page: the head, the pages and the tree at the left, on a phone a bar of five below. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { frame } = words.value;
  const { route } = useLocation();
  useEffect(() => listenForShortcuts(route), []);
  return (
    <>
      <a class="skip" href="#main">
        {frame.skip}
      </a>
      <Head />
      <div class="body">
        <aside class="side">
          <PageLinks />
          {isWide.value && lostAccount.value === 'none' && <Tree />}
        </aside>
        <main id="main" tabIndex={-1} class="main">
          <ConnectionBar />
          {children}
        </main>
      </div>
      <PhoneBar />
      <AskedAction />
      {isPaletteOpen.value && <Palette />}
      {isHelpOpen.value && <Help />}
    </>
  );
}

type PageLink = {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly count?: string | undefined;
};

function pageLinks(): readonly PageLink[] {
  const { frame } = words.value;
  return [
    { href: overviewAddress(), icon: 'map', label: frame.overview },
    {
      href: alarmsAddress(),
      icon: 'bell',
      label: frame.alarms,
      count: activeText(),
    },
    { href: eventsAddress(), icon: 'pulse', label: frame.events },
    { href: dashboardsAddress(), icon: 'boards', label: frame.dashboards },
    { href: reportsAddress(), icon: 'file', label: frame.reports },
    { href: devicesAddress(), icon: 'source', label: frame.devices },
    { href: templatesAddress(), icon: 'copy', label: frame.templates },
    { href: peopleAddress(), icon: 'person', label: frame.people },
    { href: accountAddress(), icon: 'gear', label: frame.account },
    ...(start().isOperator ? [{ href: installationAddress(), icon: 'cube' as const, label: frame.installation }] : []),
  ];
}

function PageLinks() {
  const { path } = useLocation();
  return (
    <nav class="pages" aria-label={words.value.frame.navigation}>
      {pageLinks().map(({ href, icon, label, count }) => (
        <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{label}</span>
          {count !== undefined && <span class="count is-bad">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
