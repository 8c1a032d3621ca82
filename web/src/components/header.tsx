import { shortTime } from '../format/times.ts';
import type { Connection } from '../live/feed.ts';
import { Icon } from '../ui/icon.tsx';
import { usePage } from './page-context.ts';
import { choose, scheme } from './scheme.ts';
import { ZoneSwitch } from './zone-switch.tsx';

/** The account, the name of the page, whether it is current, and the colours. */
export function Header({ hasLogo }: { readonly hasLogo: boolean }) {
  const { view } = usePage();
  const { name, description, account } = view.value;
  return (
    <header class="head">
      {hasLogo && (
        <p class="account" dir="auto">
          {account.logoUrl ? (
            <img class="logo" src={account.logoUrl} alt={account.name} />
          ) : (
            <span title={account.name}>{account.name}</span>
          )}
        </p>
      )}
      <div class="title">
        <h1 dir="auto">{name}</h1>
        {description !== '' && (
          <p class="description" dir="auto">
            {description}
          </p>
        )}
      </div>
      <div class="tools">
        <ZoneSwitch />
        <ConnectionState />
        <SchemeSwitch />
      </div>
    </header>
  );
}

const WORDS: Readonly<Record<Connection['kind'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  polling: 'Updated every 10 s',
  lost: 'Not connected',
  gone: 'Ended',
};

function ConnectionState() {
  const { connection } = usePage();
  const { kind } = connection.value;
  return <p class={`connection is-${kind}`}>{WORDS[kind]}</p>;
}

/** Says in a sentence what is wrong with the connection; screen readers say it once. */
export function ConnectionNote() {
  return (
    <div class="connection-note" role="status">
      <ConnectionText />
    </div>
  );
}

function ConnectionText() {
  const { connection, nowMs, zone } = usePage();
  const current = connection.value;
  if (current.kind === 'lost')
    return (
      <p>
        <Icon name="offline" />
        {`Not connected since ${shortTime(current.sinceMs, nowMs.peek(), zone.value)}. What is shown may be out of date; the page tries again by itself.`}
      </p>
    );
  if (current.kind === 'gone')
    return (
      <p>
        <Icon name="warning" />
        {current.isSignedOut
          ? 'You are signed out. Sign in again to see what is new.'
          : 'This page is not shown any more. What you see is the last that was known.'}
      </p>
    );
  return null;
}

function SchemeSwitch() {
  const isDark = scheme.value === 'dark';
  return (
    <button
      type="button"
      class="round"
      title={isDark ? 'Light colours' : 'Dark colours'}
      aria-label={isDark ? 'Light colours' : 'Dark colours'}
      onClick={() => choose(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </button>
  );
}
