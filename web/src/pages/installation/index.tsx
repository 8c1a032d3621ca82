import { installationAddress } from '../../data/addresses.ts';
import { isOperator } from '../../data/session/operator.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { WithWords } from '../../parts/with-words.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Accounts } from './accounts.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { HealthPart } from './health.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/operator.css';

const PARTS = {
  health: () => <HealthPart />,
  accounts: () => <Accounts />,
  letters: () => <DeadLetters />,
} as const;
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

/** Shows the installation as a whole, for those who operate it. */
export default function OperatorPage({ tab = 'health' }: { readonly tab?: string }) {
  return (
    <WithWords hasWords={hasWords} loadWords={loadWords}>
      {() => <Shown part={isPart(tab) ? tab : 'health'} />}
    </WithWords>
  );
}

function Shown({ part }: { readonly part: Part }) {
  const text = say();
  usePageTitle(`${text.tabs[part]} · ${text.title}`);
  const tabs = (Object.keys(PARTS) as Part[]).map((key) => ({
    key,
    label: text.tabs[key],
    href: installationAddress(key),
  }));
  return (
    <section class="page operator-page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{text.title}</h1>
      </header>
      {isOperator() ? (
        <>
          <p class="soft">{text.lead}</p>
          <Tabs label={text.title} items={tabs} current={part} />
          {PARTS[part]()}
        </>
      ) : (
        <EmptyState icon="gear" title={text.closed}>
          {text.closedText}
        </EmptyState>
      )}
    </section>
  );
}
