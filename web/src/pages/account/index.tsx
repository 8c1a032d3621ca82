import { accountAddress } from '../../data/addresses.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { WithWords } from '../../parts/with-words.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Categories } from './categories.tsx';
import { Keys } from './keys.tsx';
import { QualityPart } from './quality/quality.tsx';
import { Retention } from './retention.tsx';
import { SmsPart } from './sms.tsx';
import { UsagePart } from './usage.tsx';
import { Webhooks } from './webhooks.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/people.css';
import '../../styles/console/tables.css';
import '../../styles/console/account.css';

/** The parts stand in their order; `isOpen`: for everybody to read, the others are for administrators. */
const PARTS = {
  categories: { isOpen: true, show: () => <Categories /> },
  quality: { isOpen: true, show: () => <QualityPart /> },
  keys: { isOpen: false, show: () => <Keys /> },
  webhooks: { isOpen: false, show: () => <Webhooks /> },
  usage: { isOpen: false, show: () => <UsagePart /> },
  sms: { isOpen: false, show: () => <SmsPart /> },
  retention: { isOpen: false, show: () => <Retention /> },
} as const;
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

/** Shows the settings that hold for the account as a whole. */
export default function AccountPage({ tab = 'categories' }: { readonly tab?: string }) {
  return (
    <WithWords hasWords={hasWords} loadWords={loadWords}>
      {() => <Shown part={isPart(tab) ? tab : 'categories'} />}
    </WithWords>
  );
}

function Shown({ part }: { readonly part: Part }) {
  const text = say();
  usePageTitle(`${text.tabs[part]} · ${text.title}`);
  const mayAll = isAdministrator();
  const parts = (Object.keys(PARTS) as Part[]).filter((key) => mayAll || PARTS[key].isOpen);
  const tabs = parts.map((key) => ({ key, label: text.tabs[key], href: accountAddress(key) }));
  return (
    <section class="page account-page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{text.title}</h1>
        <bdi class="soft">{start().account.name}</bdi>
      </header>
      {!mayAll && <p class="soft">{text.readOnly}</p>}
      <Tabs label={text.title} items={tabs} current={part} />
      {parts.includes(part) ? (
        PARTS[part].show()
      ) : (
        <EmptyState icon="gear" title={text.closed}>
          {text.closedText}
        </EmptyState>
      )}
    </section>
  );
}
