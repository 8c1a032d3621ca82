import { choose, scheme } from '../components/scheme.ts';
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
  stationAddress,
  templatesAddress,
  transfersAddress,
} from '../data/addresses.ts';
import { isAdministrator, may } from '../data/session/rights.ts';
import { start } from '../data/session/session.ts';
import { levels, ROOT } from '../data/tree/levels.ts';
import type { IconName } from '../ui/icon.tsx';
import { chooseLanguage, LANGUAGES, type Language, language, words } from '../words/index.ts';
import { isHelpOpen } from './help.tsx';
import { signOut } from './sign-out.ts';
import { askedAction } from './tree/asked-action.tsx';

export type Action = {
  readonly label: string;
  readonly icon: IconName;
  /** Its keys. */
  readonly hint?: string;
  readonly run: () => void;
};

/** Returns true where the tree shows a Workspace that the person may configure, and as long as that is not known. */
function mayAddStation(): boolean {
  const root = levels.value.get(ROOT);
  if (root === undefined || root.isLoading || root.next !== undefined) return true;
  return root.children.some((child) => may('CONFIGURE', child));
}

/** Lists what can be done from anywhere, by its name. */
export function actions(route: (url: string) => void): readonly Action[] {
  const { frame, tree } = words.value;
  const go = (label: string, icon: IconName, address: string, hint = ''): Action => ({
    label: frame.palette.go(label),
    icon,
    hint,
    run: () => route(address),
  });
  const isDark = scheme.value === 'dark';
  const { account, accounts } = start();
  return [
    go(frame.overview, 'map', overviewAddress(), 'g o'),
    go(frame.alarms, 'bell', alarmsAddress(), 'g a'),
    go(frame.events, 'pulse', eventsAddress(), 'g e'),
    go(frame.dashboards, 'boards', dashboardsAddress(), 'g d'),
    go(frame.reports, 'file', reportsAddress(), 'g r'),
    go(frame.devices, 'source', devicesAddress()),
    go(frame.templates, 'copy', templatesAddress()),
    go(frame.people, 'person', peopleAddress()),
    go(frame.account, 'gear', accountAddress()),
    ...(start().isOperator ? [go(frame.installation, 'cube', installationAddress())] : []),
    go(frame.transfers, 'down', transfersAddress()),
    ...(isAdministrator() || mayAddStation()
      ? [{ label: tree.addStation, icon: 'plus' as const, run: () => route(stationAddress()) }]
      : []),
    ...(isAdministrator()
      ? [
          {
            label: tree.newWorkspace,
            icon: 'plus' as const,
            run: () => {
              askedAction.value = { kind: 'create' };
            },
          },
        ]
      : []),
    {
      label: isDark ? frame.light : frame.dark,
      icon: isDark ? 'sun' : 'moon',
      run: () => choose(isDark ? 'light' : 'dark'),
    },
    ...Object.entries(LANGUAGES)
      .filter(([key]) => key !== language.value)
      .map(([key, label]) => ({
        label: `${frame.language}: ${label}`,
        icon: 'list' as const,
        run: () => void chooseLanguage(key as Language),
      })),
    ...accounts
      .filter(({ slug }) => slug !== account.slug)
      .map(({ slug, name }) => ({
        label: frame.accountOf(name),
        icon: 'person' as const,
        run: () => location.assign(`/a/${slug}/overview`),
      })),
    { label: frame.profile, icon: 'person', run: () => route(meAddress()) },
    {
      label: frame.shortcuts,
      icon: 'list',
      hint: '?',
      run: () => {
        isHelpOpen.value = true;
      },
    },
    { label: frame.signOut, icon: 'right', run: () => void signOut() },
  ];
}
