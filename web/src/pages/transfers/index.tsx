import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { transfersAddress } from '../../data/addresses.ts';
import { readServerJobs, serverJobs } from '../../data/transfers/server-jobs.ts';
import { say, useFileWords } from '../../parts/files/words.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Exports } from './exports.tsx';
import { Imports } from './imports.tsx';
import '../../styles/console/tables.css';
import '../../styles/console/alarms.css';
import '../../styles/console/files.css';

/** Shows what the server imports and exports for the person, as the bell knows it, and forms that begin more. */
export default function TransfersPage({ tab = 'exports' }: { readonly tab?: string }) {
  const { isHere, hasFailed, again } = useFileWords();
  const { ui, frame } = words.value;
  useEffect(() => void readServerJobs(), []);
  if (!isHere)
    return (
      <section class="page">
        {hasFailed ? (
          <Problem text={frame.failed.loading} again={again} againText={ui.again} />
        ) : (
          <Busy text={ui.loading} />
        )}
      </section>
    );
  return <Shown tab={tab === 'imports' ? 'imports' : 'exports'} />;
}

function Shown({ tab }: { readonly tab: 'imports' | 'exports' }) {
  const { transfers } = say();
  const { ui } = words.value;
  const { query } = useLocation();
  usePageTitle(transfers.title);
  const jobs = serverJobs.value;
  const of = query.of === undefined ? {} : { of: query.of };
  const tabs = (['exports', 'imports'] as const).map((key) => ({
    key,
    label: transfers.tabs[key],
    href: transfersAddress(key, of),
  }));
  return (
    <section class="page files" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{transfers.title}</h1>
        <span class="soft">{transfers.own}</span>
      </header>
      <Tabs label={transfers.title} items={tabs} current={tab} />
      {jobs?.error !== undefined && (
        <Problem
          text={`${transfers.failed} ${errorText(jobs.error)}`}
          again={() => void readServerJobs()}
          againText={ui.again}
        />
      )}
      {tab === 'imports' ? <Imports key={query.of} nodeId={query.of} /> : <Exports key={query.of} nodeId={query.of} />}
      {jobs === undefined && <Busy text={ui.loading} />}
    </section>
  );
}
