import { useEffect, useState } from 'preact/hooks';
import { reportFileAddress } from '../../data/addresses.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { isOpen, type Run, type Runs, readRuns, readWhoMay, runNow, subscribeGroup } from '../../data/pages/reports.ts';
import { readSubscribers, subscribe } from '../../data/people/subscribers.ts';
import { type Asked, useAsked } from '../../data/requests/use-asked.ts';
import { may } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { times } from '../../data/times.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Pick } from '../../ui/pick.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { ScheduleForm } from './schedule.tsx';
import type { EditedReport } from './use-report.ts';
import { say } from './words.ts';

const LOOK_MS = 2_000;

/** Shows when the report goes, to whom, and what has become of it. Subscribers and runs are changed at once: they are not the report's. */
export function Sending({ node, report }: { readonly node: Node; readonly report: EditedReport }) {
  const runs = useAsked<Runs>((signal) => readRuns(node._id, signal), [node._id]);
  const hasOpen = runs.value?.runs.some(isOpen) === true;
  // The page looks again and again only while something is still to be done.
  useEffect(() => {
    if (!hasOpen || runs.isLoading) return;
    const timer = setTimeout(runs.again, LOOK_MS);
    return () => clearTimeout(timer);
  }, [hasOpen, runs.isLoading, runs.value]);
  return (
    <div class="report-sending">
      <ScheduleForm id={node._id} report={report} />
      <Subscribers node={node} recipients={runs.value?.recipients} onChanged={runs.again} />
      <RunList node={node} runs={runs} isUnsaved={report.count > 0} />
    </div>
  );
}

type SubscribersProps = {
  readonly node: Node;
  /** These would get it now; undefined while that is not known. */
  readonly recipients: readonly string[] | undefined;
  readonly onChanged: () => void;
};

function Subscribers({ node, recipients, onChanged }: SubscribersProps) {
  const text = say();
  const { ui } = words.value;
  const people = useAsked((signal) => readSubscribers(node._id, signal), [node._id]);
  const [problem, setProblem] = useState('');
  const me = start().person.email;
  const mayManage = may('MANAGE_NOTIFICATIONS', node);
  const act = async (work: Promise<unknown>) => {
    setProblem('');
    try {
      await work;
    } catch (error) {
      setProblem(errorText(error));
    }
    people.again();
    onChanged();
  };
  const all = people.value ?? [];
  const isMine = all.some(({ email, isOwn }) => email === me && isOwn);
  return (
    <section class="editor-section" aria-labelledby="report-people">
      <h2 id="report-people">{text.subscribers}</h2>
      <p class="editor-hint">{text.subscribersText}</p>
      {people.error !== undefined && (
        <Problem
          text={`${text.subscribersFailed} ${errorText(people.error)}`}
          again={people.again}
          againText={ui.again}
        />
      )}
      {people.value === undefined && people.error === undefined && <Busy text={ui.loading} />}
      {people.value?.length === 0 && <p class="soft">{text.nobody}</p>}
      <ul class="report-people">
        {all.map((person) => (
          <li key={person.email}>
            <span>
              <bdi>{person.name}</bdi>
              {person.name !== person.email && <span class="soft"> {person.email}</span>}
              {person.groups.length > 0 && <span class="soft"> · {text.byGroup(person.groups.join(', '))}</span>}
              {recipients && !recipients.includes(person.email.toLowerCase()) && (
                <span class="report-lost">
                  <Icon name="warning" />
                  {text.getsNothing}
                </span>
              )}
            </span>
            {person.isOwn && (person.email === me || mayManage) && (
              <Button
                look="bare"
                icon="close"
                aria-label={text.unsubscribe(person.name)}
                title={text.unsubscribe(person.name)}
                onClick={() => act(subscribe(node._id, person.email, false))}
              />
            )}
          </li>
        ))}
      </ul>
      {mayManage &&
        [...new Set(all.flatMap(({ groups }) => groups))].map((group) => (
          <p key={group}>
            <Button icon="close" onClick={() => act(subscribeGroup(node._id, group, false))}>
              {text.unsubscribeGroup(group)}
            </Button>
          </p>
        ))}
      {problem !== '' && (
        <p class="editor-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="editor-buttons">
        {!isMine && may('SUBSCRIBE_NOTIFICATIONS', node) && (
          <Button icon="bell" onClick={() => act(subscribe(node._id, me, true))}>
            {text.subscribeMe}
          </Button>
        )}
        {mayManage && (
          <Other
            node={node}
            known={all.filter(({ isOwn }) => isOwn).map(({ email }) => email)}
            onPerson={(email) => act(subscribe(node._id, email, true))}
            onGroup={(group) => act(subscribeGroup(node._id, group, true))}
          />
        )}
      </div>
    </section>
  );
}

type OtherProps = {
  readonly node: Node;
  readonly known: readonly string[];
  readonly onPerson: (email: string) => void;
  readonly onGroup: (group: string) => void;
};

/** Subscribes somebody else, or a group, of those that may see the report. They are read when somebody wants to choose. */
function Other({ node, known, onPerson, onGroup }: OtherProps) {
  const text = say();
  const [isOpen, setOpen] = useState(false);
  const who = useAsked(async (signal) => (isOpen ? readWhoMay(node._id, signal) : undefined), [node._id, isOpen]);
  if (!isOpen)
    return (
      <Button icon="plus" onClick={() => setOpen(true)}>
        {text.subscribeOther}
      </Button>
    );
  return (
    <Pick
      label={text.subscribeOther}
      none={who.error === undefined ? text.chooseWho : errorText(who.error)}
      options={[
        ...(who.value?.people ?? [])
          .filter(({ email }) => !known.includes(email))
          .map(({ email, name }) => [`person ${email}`, name === email ? email : `${name} (${email})`] as const),
        ...(who.value?.groups ?? []).map((group) => [`group ${group}`, text.group(group)] as const),
      ]}
      main={words.value.ui.add}
      onPick={(value) => (value.startsWith('person ') ? onPerson(value.slice(7)) : onGroup(value.slice(6)))}
      isFocused
    />
  );
}

type RunListProps = { readonly node: Node; readonly runs: Asked<Runs>; readonly isUnsaved: boolean };

function RunList({ node, runs, isUnsaved }: RunListProps) {
  const text = say();
  const { ui } = words.value;
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState('');
  const all = runs.value?.runs ?? [];
  const recipients = runs.value?.recipients.length ?? 0;
  const isRunning = all.some(({ state }) => state === 'WAITING' || state === 'MAKING');
  const run = async () => {
    setAsking(true);
    setProblem('');
    try {
      await runNow(node._id);
      toast(text.runAsked);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setAsking(false);
      runs.again();
    }
  };
  return (
    <section class="editor-section" aria-labelledby="report-runs">
      <h2 id="report-runs">{text.runs}</h2>
      <p class="editor-hint">{text.runsText}</p>
      <div class="editor-buttons">
        <Button icon="right" isBusy={isAsking} disabled={isRunning || runs.value === undefined} onClick={run}>
          {text.runNow(recipients)}
        </Button>
      </div>
      {isUnsaved && <p class="soft">{text.runUnsaved}</p>}
      {problem !== '' && (
        <p class="editor-problem" role="alert">
          {problem}
        </p>
      )}
      {runs.error !== undefined && (
        <Problem text={`${text.runsFailed} ${errorText(runs.error)}`} again={runs.again} againText={ui.again} />
      )}
      {runs.value === undefined && runs.error === undefined && <Busy text={ui.loading} />}
      {runs.value && all.length === 0 && <p class="soft">{text.noRuns}</p>}
      <ol class="report-runs" aria-live="polite">
        {all.map((run) => (
          <RunLine key={run.time} id={node._id} run={run} />
        ))}
      </ol>
    </section>
  );
}

function RunLine({ id, run }: { readonly id: string; readonly run: Run }) {
  const text = say();
  const { time, askedBy, state, problem, mails } = run;
  const unsent = mails.filter((mail) => mail.state === 'NOT_SENT');
  const waiting = mails.filter((mail) => mail.state === 'WAITING');
  const sent = mails.filter((mail) => mail.state === 'SENT');
  const isBad = state === 'FAILED' || unsent.length > 0;
  return (
    <li class={isBad ? 'is-bad' : undefined}>
      <span class="report-run-head">
        <Icon name={isBad ? 'warning' : state === 'MADE' ? 'check' : 'clock'} />
        <time dateTime={time}>{times().whole(Date.parse(time))}</time>
        <strong>{text.states[state]}</strong>
        <span class="soft">{askedBy === null ? text.bySchedule : text.byHand(askedBy)}</span>
        {state === 'MADE' && (
          <a href={reportFileAddress(id, time)} target="_blank" rel="noreferrer">
            {text.openRun}
          </a>
        )}
      </span>
      {problem !== null && <p class="editor-problem">{problem}</p>}
      {state === 'MADE' && mails.length === 0 && <p class="soft">{text.sentNobody}</p>}
      {sent.length > 0 && <p>{text.sentTo(sent.map(({ email }) => email).join(', '))}</p>}
      {waiting.length > 0 && <p class="soft">{text.sendingTo(waiting.map(({ email }) => email).join(', '))}</p>}
      {unsent.map((mail) => (
        <p key={mail.email} class="editor-problem">
          {text.notSent(mail.email, mail.problem ?? '')}
        </p>
      ))}
    </li>
  );
}
