import { choose, scheme } from '../components/scheme.ts';
import { meAddress, overviewAddress } from '../data/addresses.ts';
import { me, start } from '../data/session/session.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { chooseLanguage, LANGUAGES, type Language, language, words } from '../words/index.ts';
import { Bell } from './bell.tsx';
import { isHelpOpen } from './help.tsx';
import { isPaletteOpen } from './palette.tsx';
import { signOut } from './sign-out.ts';

/** Shows the product, the account, the search, and what is one's own. */
export function Head() {
  const { frame } = words.value;
  const isDark = scheme.value === 'dark';
  return (
    <header class="head">
      <a class="product" href={overviewAddress()} aria-label={`${frame.product}: ${frame.overview}`}>
        <Mark />
        <span>{frame.product}</span>
      </a>
      <AccountMenu />
      <button
        type="button"
        class="palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          isPaletteOpen.value = true;
        }}
      >
        <Icon name="search" />
        <span>{frame.searchOrDo}</span>
        <kbd>{/Mac|iP(?:hone|ad)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <div class="head-tools">
        <Bell />
        <Button
          look="bare"
          icon={isDark ? 'sun' : 'moon'}
          aria-label={isDark ? frame.light : frame.dark}
          title={isDark ? frame.light : frame.dark}
          onClick={() => choose(isDark ? 'light' : 'dark')}
        />
        <PersonMenu />
      </div>
    </header>
  );
}

const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path class="drop" d="M16 2C10 11 6 15 6 20a10 10 0 0 0 20 0c0-5-4-9-10-18z" />
    <path class="wave" d="M9 21h4l2-5 3 8 2-5h3" />
  </svg>
);

function AccountMenu() {
  const { account, accounts } = start();
  const { frame } = words.value;
  if (accounts.length < 2)
    return (
      <p class="account" title={account.name} dir="auto">
        {account.name}
      </p>
    );
  const items: MenuItem[] = accounts.map(({ slug, name, isDisabled }) => ({
    label: name,
    href: `/a/${slug}/overview`,
    isChosen: slug === account.slug,
    ...(isDisabled && { hint: frame.disabled }),
  }));
  return (
    <Menu
      label={frame.accountOf(account.name)}
      class="account-button"
      items={items}
      button={
        <>
          <bdi class="account">{account.name}</bdi>
          <Icon name="fold" />
        </>
      }
    />
  );
}

function PersonMenu() {
  const person = me();
  const { frame } = words.value;
  const items: MenuItem[] = [
    { label: frame.profile, icon: 'person', href: meAddress() },
    { label: frame.reference, icon: 'file', href: '/docs' },
    ...Object.entries(LANGUAGES).map(([key, label], i) => ({
      label,
      isChosen: key === language.value,
      isApart: i === 0,
      onSelect: () => void chooseLanguage(key as Language),
    })),
    {
      label: frame.shortcuts,
      icon: 'list',
      hint: '?',
      isApart: true,
      onSelect: () => {
        isHelpOpen.value = true;
      },
    },
    { label: frame.signOut, icon: 'right', onSelect: () => void signOut() },
  ];
  return (
    <Menu
      label={person.name}
      class="person-button"
      items={items}
      button={
        <>
          <Icon name="person" />
          <bdi class="person-name">{person.name}</bdi>
        </>
      }
    />
  );
}
