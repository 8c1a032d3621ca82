import { useState } from 'preact/hooks';
import { categories } from '../../../data/account/categories.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import {
  type Channel,
  readSubscribers,
  readViewers,
  type Subscriber,
  setPreference,
  subscribe,
  writeTo,
} from '../../../data/people/subscribers.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { start } from '../../../data/session/session.ts';
import { times } from '../../../data/times.ts';
import { Button } from '../../../ui/button.tsx';
import { useForm } from '../../../ui/form/index.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { Pick } from '../../../ui/pick.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import { categoriesIn, statesOf } from './list.ts';
import { say } from './words.ts';

const WAYS: readonly Channel[] = ['email', 'sms'];

/** Shows subscribers of the node, and by which way each hears of what. These changes are made at once: they are not the node's. */
export function Notified({ node }: { readonly node: Node }) {
  const { document } = useForm();
  const { ui } = words.value;
  const texts = say();
  const people = useAsked((signal) => readSubscribers(node._id, signal), [node._id]);
  const known = useAsked(() => categories(), []);
  const used = categoriesIn(statesOf(document.states), document.alarms);
  // The dialog asks about the categories that are used, and about all of them where nothing notifies yet.
  const shown = (known.value ?? []).filter(({ _id }) => used.length === 0 || used.includes(_id));
  const me = start().person.email;
  const isSubscribed = people.value?.some(({ email, isOwn }) => email === me && isOwn);
  const act = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
    people.again();
  };
  const error = people.error ?? known.error;
  return (
    <section class="editor-section" aria-labelledby="notified">
      <h2 id="notified">{texts.notified}</h2>
      <p class="editor-hint">{texts.notifiedText}</p>
      {used.length === 0 && <p class="soft">{texts.noNotify}</p>}
      {error !== undefined && (
        <Problem text={`${texts.notifiedFailed} ${errorText(error)}`} again={people.again} againText={ui.again} />
      )}
      {people.value === undefined && error === undefined && <Busy text={texts.notifiedLoading} />}
      {people.value?.length === 0 && <p class="soft">{texts.notifiedNobody}</p>}
      {people.value && people.value.length > 0 && (
        <div class="rule-people">
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.person}</th>
                {shown.map(({ _id, name }) => (
                  <th key={_id} scope="col" dir="auto">
                    {name}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {people.value.map((person) => (
                <PersonRow
                  key={person.email}
                  node={node}
                  person={person}
                  shown={shown.map(({ name }) => name)}
                  act={act}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="editor-buttons">
        {people.value && may('SUBSCRIBE_NOTIFICATIONS', node) && (
          <Button icon="bell" onClick={() => act(subscribe(node._id, me, !isSubscribed))}>
            {isSubscribed ? texts.unsubscribe : texts.subscribe}
          </Button>
        )}
        {people.value && may('MANAGE_NOTIFICATIONS', node) && (
          <OtherPerson
            node={node}
            known={people.value.filter(({ isOwn }) => isOwn).map(({ email }) => email)}
            onChoose={(email) => act(subscribe(node._id, email, true))}
          />
        )}
      </div>
    </section>
  );
}

type PersonRowProps = {
  readonly node: Node;
  readonly person: Subscriber;
  /** Names of categories. */
  readonly shown: readonly string[];
  readonly act: (work: Promise<unknown>) => Promise<void>;
};

function PersonRow({ node, person, shown, act }: PersonRowProps) {
  const texts = say();
  const { email, name, isOwn, groups } = person;
  const isMe = email === start().person.email;
  const mayManage = may('MANAGE_NOTIFICATIONS', node);
  const preferenceOf = (category: string) =>
    person.preferences.find((preference) => preference.category === category) ?? { category, email: false, sms: false };
  const ticked = WAYS.filter((way) => shown.some((category) => preferenceOf(category)[way]));
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {name !== email && <div class="editor-hint">{email}</div>}
        {groups.length > 0 && <div class="editor-hint">{texts.byGroup(groups.join(', '))}</div>}
        {ticked.length === 0 && <div class="editor-hint">{texts.hearsNothing}</div>}
      </th>
      {shown.map((category) => (
        <td key={category} data-label={category}>
          {WAYS.map((way) => {
            const preference = preferenceOf(category);
            return (
              <label key={way} class="check">
                <input
                  type="checkbox"
                  aria-label={texts.way(category, texts[way], name)}
                  disabled={!isMe && !mayManage}
                  checked={preference[way]}
                  onChange={(event) =>
                    act(setPreference(node._id, email, { ...preference, [way]: event.currentTarget.checked }))
                  }
                />
                <span>{texts[way]}</span>
              </label>
            );
          })}
        </td>
      ))}
      <td>
        {may('SEND_MESSAGE', node) && (
          <Button
            aria-label={texts.testTo(name)}
            onClick={() => test(node, person, ticked.length === 0 ? ['email'] : ticked)}
          >
            {texts.test}
          </Button>
        )}
        {isOwn && !isMe && mayManage && (
          <Button
            icon="close"
            look="bare"
            aria-label={texts.unsubscribeOther(name)}
            title={texts.unsubscribeOther(name)}
            onClick={() => act(subscribe(node._id, email, false))}
          />
        )}
      </td>
    </tr>
  );
}

/** Sends by the ways that are ticked what says of itself that it is a test; limits are those of messages by hand. */
async function test(node: Node, { email, name }: Subscriber, channels: readonly Channel[]): Promise<void> {
  const texts = say();
  try {
    const sent = await writeTo(node._id, email, texts.testText(node.name, times().whole(Date.now())), channels);
    if (sent.length === 0) toast(texts.testNone(name), { isBad: true });
    else toast(texts.testSent(name, sent.map((way) => texts[way]).join(texts.and)));
  } catch (error) {
    toast(errorText(error), { isBad: true });
  }
}

type OtherPersonProps = {
  readonly node: Node;
  /** People with these e-mails are there already. */
  readonly known: readonly string[];
  readonly onChoose: (email: string) => void;
};

/** Subscribes one of those who may see the node. They are read when somebody wants to choose. */
function OtherPerson({ node, known, onChoose }: OtherPersonProps) {
  const texts = say();
  const [isOpen, setOpen] = useState(false);
  const viewers = useAsked(async (signal) => (isOpen ? readViewers(node._id, signal) : undefined), [node._id, isOpen]);
  if (!isOpen)
    return (
      <Button icon="plus" onClick={() => setOpen(true)}>
        {texts.subscribeOther}
      </Button>
    );
  return (
    <Pick
      label={texts.subscribeOther}
      none={
        viewers.error === undefined ? texts.subscribeOtherNone : `${texts.notifiedFailed} ${errorText(viewers.error)}`
      }
      options={(viewers.value ?? [])
        .filter(({ email }) => !known.includes(email))
        .map(({ email, name }) => [email, name === email ? email : `${name} (${email})`] as const)}
      main={words.value.ui.add}
      onPick={onChoose}
      isFocused
    />
  );
}
