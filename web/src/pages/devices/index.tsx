import { useEffect, useState } from 'preact/hooks';
import { devicesAddress } from '../../data/addresses.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { DevicePage } from './device.tsx';
import { DeviceList } from './list.tsx';
import { Transports } from './transports.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/tables.css';
import '../../styles/console/alarms.css';
import '../../styles/console/devices.css';

/** Modems and loggers that connect by themselves, and how the data of all sources come. */
export default function DevicesPage({ tab = 'list' }: { readonly tab?: string }) {
  const { ui } = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const wanted = language.value;
  useEffect(() => {
    loadWords().then(() => setFailure(undefined), setFailure);
  }, [wanted, attempt]);
  if (hasWords()) return /^[\da-f]{24}$/.test(tab) ? <DevicePage key={tab} id={tab} /> : <Lists tab={tab} />;
  return (
    <section class="page">
      {failure === undefined ? (
        <Busy text={ui.loading} />
      ) : (
        <Problem text={errorText(failure)} again={() => setAttempt((n) => n + 1)} againText={ui.again} />
      )}
    </section>
  );
}

function Lists({ tab }: { readonly tab: string }) {
  const text = say();
  usePageTitle(text.title);
  const current = tab === 'transports' ? 'transports' : 'list';
  const tabs = (['list', 'transports'] as const).map((key) => ({
    key,
    label: text.tabs[key],
    href: devicesAddress(key),
  }));
  return (
    <section class="page is-full" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{text.title}</h1>
      </header>
      <Tabs label={text.title} items={tabs} current={current} />
      {current === 'transports' ? <Transports /> : <DeviceList />}
    </section>
  );
}
