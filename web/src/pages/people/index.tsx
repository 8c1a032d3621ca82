import { useEffect, useMemo, useState } from 'preact/hooks';
import { peopleAddress } from '../../data/addresses.ts';
import { MOST_WORKSPACES, type People, people, readPeople } from '../../data/people.ts';
import { may } from '../../data/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { AccessTable } from './access-table.tsx';
import { Invite } from './invite.tsx';
import { PeopleList } from './list.tsx';
import { peopleRows } from './rows.ts';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/tables.css';
import '../../styles/console/people.css';

/** Who works in the account, and who may do what in which Workspace. */
export default function PeoplePage({ tab = 'list' }: { readonly tab?: string }) {
  const { ui } = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const wanted = language.value;
  useEffect(() => {
    Promise.all([loadWords(), readPeople()]).then(() => setFailure(undefined), setFailure);
  }, [wanted, attempt]);
  const again = () => {
    setFailure(undefined);
    setAttempt((n) => n + 1);
  };
  const isHere = hasWords() && people.value !== undefined;
  if (isHere && failure === undefined) return <Shown all={people.value!} tab={tab} />;
  return (
    <section class="page">
      {failure === undefined ? (
        <Busy text={ui.loading} />
      ) : (
        <Problem text={errorText(failure)} again={again} againText={ui.again} />
      )}
    </section>
  );
}

function Shown({ all, tab }: { readonly all: People; readonly tab: string }) {
  const text = say();
  const [isInviting, setInviting] = useState(false);
  const rows = useMemo(() => peopleRows(all), [all]);
  const mayShare = all.workspaces.some((one) => may('SECURITY', one)) || all.account !== undefined;
  const tabs = (['list', 'access'] as const).map((key) => ({ key, label: text.tabs[key], href: peopleAddress(key) }));
  const invite = mayShare && (
    <Button look="main" icon="plus" onClick={() => setInviting(true)}>
      {text.invite}
    </Button>
  );
  return (
    <section class="page is-full" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{text.title}</h1>
        {invite}
      </header>
      {!mayShare && <p class="soft">{text.readOnly}</p>}
      {all.hasMore && <p class="soft">{text.shownPart(MOST_WORKSPACES)}</p>}
      <Tabs label={text.title} items={tabs} current={tab} />
      {tab === 'access' ? <AccessTable all={all} rows={rows} /> : <PeopleList rows={rows} />}
      {isInviting && <Invite all={all} rows={rows} onClose={() => setInviting(false)} />}
    </section>
  );
}
