import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { peopleAddress } from '../../data/addresses.ts';
import { followPeople, type People, people, readMorePeople, readPeople } from '../../data/people/people.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { AccessTable } from './access-table.tsx';
import { Groups } from './groups.tsx';
import { Invite } from './invite.tsx';
import { PeopleList } from './list.tsx';
import { PersonPanel } from './person-panel.tsx';
import { Roles } from './roles.tsx';
import { peopleRows } from './rows.ts';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/tables.css';
import '../../styles/console/alarms.css';
import '../../styles/console/people.css';

/** The details of a person stand beside the list from this width on. */
const WIDE = '(width >= 80rem)';

/** Shows who works in the account, and who may do what in which Workspace. */
export default function PeoplePage({ tab = 'list' }: { readonly tab?: string }) {
  const { ui } = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const wanted = language.value;
  useEffect(() => {
    Promise.all([loadWords(), readPeople()]).then(() => setFailure(undefined), setFailure);
  }, [wanted, attempt]);
  useEffect(() => followPeople(), []);
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
  usePageTitle(text.title);
  const [isInviting, setInviting] = useState(false);
  const rows = useMemo(() => peopleRows(all), [all]);
  const { query, route } = useLocation();
  const mayShare = isAdministrator() || all.workspaces.some((workspace) => may('SECURITY', workspace));
  const isWide = useMedia(WIDE);
  const who = rows.find(({ email }) => email === query.who);
  const tabs = (['list', 'access', 'groups', 'roles'] as const).map((key) => ({
    key,
    label: text.tabs[key],
    href: peopleAddress(key),
  }));
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
      {all.hasMore && (
        <p class="soft" role="status">
          {all.isReading ? text.reading(all.workspaces.length) : text.shownPart(all.workspaces.length)}{' '}
          {!all.isReading && <ReadMore />}
        </p>
      )}
      <Tabs label={text.title} items={tabs} current={tab} />
      {tab === 'access' ? (
        <AccessTable all={all} rows={rows} />
      ) : tab === 'groups' ? (
        <Groups all={all} rows={rows} />
      ) : tab === 'roles' ? (
        <Roles all={all} rows={rows} />
      ) : (
        <div class={isWide && who ? 'beside' : 'beside-main is-all'}>
          <div class="beside-main">
            <PeopleList rows={rows} onOpen={({ email }) => route(peopleAddress('list', email))} />
          </div>
          {who && (
            <PersonPanel
              key={who.email}
              row={who}
              all={all}
              isBeside={isWide}
              onClose={() => route(peopleAddress('list'))}
            />
          )}
        </div>
      )}
      {isInviting && <Invite all={all} rows={rows} onClose={() => setInviting(false)} />}
    </section>
  );
}

/** Shows the others, once somebody wants them. */
function ReadMore() {
  const [isBusy, setBusy] = useState(false);
  const read = () => {
    setBusy(true);
    readMorePeople()
      .catch((error) => toast(errorText(error), { isBad: true }))
      .finally(() => setBusy(false));
  };
  return (
    <Button disabled={isBusy} onClick={read}>
      {isBusy ? words.value.ui.loading : say().readMore}
    </Button>
  );
}
