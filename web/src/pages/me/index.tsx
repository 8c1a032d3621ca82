import { meAddress } from '../../data/addresses.ts';
import { me } from '../../data/session/session.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { WithWords } from '../../parts/with-words.tsx';
import { Tabs } from '../../ui/tabs.tsx';
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

/** Shows the person's own things: the profile, keys, notifications and sign-ins. */
export default function MePage({ tab = 'profile' }: { readonly tab?: string }) {
  usePageTitle(me().name);
  return (
    <WithWords hasWords={hasWords} loadWords={loadWords}>
      {() => <Shown tab={tab} />}
    </WithWords>
  );
}

function Shown({ tab }: { readonly tab: string }) {
  const text = say();
  const key: Tab = Object.hasOwn(TABS, tab) ? (tab as Tab) : 'profile';
  const Part = TABS[key];
  const tabs = (Object.keys(TABS) as Tab[]).map((key) => ({ key, label: text.tabs[key], href: meAddress(key) }));
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
      <Part />
    </section>
  );
}
