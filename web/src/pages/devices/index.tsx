import { devicesAddress } from '../../data/addresses.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { WithWords } from '../../parts/with-words.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DevicePage } from './device.tsx';
import { DeviceList } from './list.tsx';
import { Transports } from './transports.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/tables.css';
import '../../styles/console/alarms.css';
import '../../styles/console/devices.css';

/** Shows modems and loggers that connect by themselves, and how the data of all sources come. */
export default function DevicesPage({ tab = 'list' }: { readonly tab?: string }) {
  return (
    <WithWords hasWords={hasWords} loadWords={loadWords}>
      {() => (/^[\da-f]{24}$/.test(tab) ? <DevicePage key={tab} id={tab} /> : <Lists tab={tab} />)}
    </WithWords>
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
