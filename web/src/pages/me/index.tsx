import { useEffect, useState } from 'preact/hooks';
import { meAddress } from '../../data/addresses.ts';
import { me } from '../../data/session.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { Keys } from './keys.tsx';
import { Notifications } from './notifications.tsx';
import { ProfileForm } from './profile.tsx';
import { SignIns } from './sign-ins.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/forms.css';
import '../../styles/console/people.css';
import '../../styles/console/me.css';

const TABS = { profile: ProfileForm, keys: Keys, notifications: Notifications, 'sign-ins': SignIns } as const;
type Tab = keyof typeof TABS;

/** The person's own things: the profile, keys, notifications and sign-ins. */
export default function MePage({ tab = 'profile' }: { readonly tab?: string }) {
  const { ui } = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  usePageTitle(me().name);
  useEffect(() => {
    loadWords().then(() => setFailure(undefined), setFailure);
  }, [language.value, attempt]);
  if (!hasWords())
    return (
      <section class="page">
        {failure === undefined ? (
          <Busy text={ui.loading} />
        ) : (
          <Problem text={errorText(failure)} again={() => setAttempt((n) => n + 1)} againText={ui.again} />
        )}
      </section>
    );
  const text = say();
  const key: Tab = Object.hasOwn(TABS, tab) ? (tab as Tab) : 'profile';
  const Shown = TABS[key];
  const tabs = (Object.keys(TABS) as Tab[]).map((one) => ({ key: one, label: text.tabs[one], href: meAddress(one) }));
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title" dir="auto">
          {me().name}
        </h1>
        <a class="button is-quiet" href="/account">
          {text.passwordAndAccounts}
        </a>
      </header>
      <Tabs label={text.title} items={tabs} current={key} />
      <Shown />
    </section>
  );
}
