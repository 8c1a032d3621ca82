import { useId, useState } from 'preact/hooks';
import { createGroup, deleteGroup, renameGroup, setMember } from '../../data/people/groups.ts';
import type { Group, People } from '../../data/people/people.ts';
import { Overtaken } from '../../data/requests/overtaken.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { act } from './acting.ts';
import { problemText } from './problem-text.ts';
import { Question, Some } from './question.tsx';
import { addressOf, isAddress, lossesOfGroup, type PersonRow } from './rows.ts';
import { useKept } from './use-kept.ts';
import { say } from './words.ts';

type GroupsProps = { readonly all: People; readonly rows: readonly PersonRow[] };
type Asked = { readonly kind: 'create' } | { readonly kind: 'rename' | 'delete'; readonly group: Group };

/** Shows groups of the account with their members, and where they give access. */
export function Groups({ all, rows }: GroupsProps) {
  const text = say();
  const [asked, setAsked] = useState<Asked>();
  const mayChange = isAdministrator();
  const close = () => setAsked(undefined);
  const create = mayChange && (
    <Button icon="plus" onClick={() => setAsked({ kind: 'create' })}>
      {text.newGroup}
    </Button>
  );
  return (
    <div class="people-cards">
      {all.groups.length === 0 ? (
        <EmptyState icon="person" title={text.noGroupsYet} action={create}>
          {text.noGroupsText}
        </EmptyState>
      ) : (
        <p class="buttons">{create}</p>
      )}
      {all.groups.map((group) => (
        <article key={group.group} class="people-card" aria-label={group.group}>
          <header>
            <h2 dir="auto">{group.group}</h2>
            {mayChange && (
              <span class="buttons">
                <Button
                  icon="pencil"
                  aria-label={`${text.rename}: ${group.group}`}
                  onClick={() => setAsked({ kind: 'rename', group })}
                />
                <Button
                  icon="trash"
                  aria-label={`${text.deleteIt}: ${group.group}`}
                  onClick={() => setAsked({ kind: 'delete', group })}
                />
              </span>
            )}
          </header>
          <p class="soft">{placesOf(group, all) || text.noAccess}</p>
          <Members group={group} rows={rows} mayChange={mayChange} />
        </article>
      ))}
      {asked?.kind === 'create' && <NameDialog onClose={close} />}
      {asked?.kind === 'rename' && <NameDialog group={asked.group} onClose={close} />}
      {asked?.kind === 'delete' && (
        <DeleteGroup
          all={all}
          rows={rows}
          group={all.groups.find(({ _id }) => _id === asked.group._id) ?? asked.group}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Names the roles of a group, with their Workspaces. */
function placesOf({ group }: Group, { workspaces }: People): string {
  const text = say();
  return workspaces
    .flatMap(({ name, groups }) => {
      const entry = groups.find((listed) => listed.group === group);
      return entry ? text.roleIn(entry.role || text.roleGone, name) : [];
    })
    .join(' · ');
}

type MembersProps = { readonly group: Group; readonly rows: readonly PersonRow[]; readonly mayChange: boolean };

function Members({ group, rows, mayChange }: MembersProps) {
  const text = say();
  const list = useId();
  const [email, setEmail] = useState('');
  const nameOf = (user: string) => rows.find((row) => row.email === user)?.name || user;
  const set = (user: string, isOne: boolean) =>
    act(
      () => setMember(group._id, user, isOne),
      isOne ? text.memberNow(nameOf(user), group.group) : text.memberNoMore(nameOf(user), group.group),
      () => setMember(group._id, user, !isOne),
    );
  const add = async () => {
    const user = addressOf(email);
    if (!isAddress(user)) toast(text.lacks.email, { isBad: true });
    // Somebody new is invited: that makes a link, which is handed over.
    else if (!rows.some((row) => row.email === user)) toast(text.inviteFirst, { isBad: true });
    else if (group.users.some((member) => member.user === user)) toast(text.lacks.isMember, { isBad: true });
    else if (await set(user, true)) setEmail('');
  };
  const others = rows.filter((row) => !group.users.some(({ user }) => user === row.email));
  return (
    <>
      <ul class="chips" aria-label={text.members}>
        {group.users.map(({ user }) => (
          <li key={user}>
            <bdi title={user}>{nameOf(user)}</bdi>
            {mayChange && (
              <Button
                look="bare"
                icon="close"
                aria-label={text.takeOut(nameOf(user), group.group)}
                onClick={() => set(user, false)}
              />
            )}
          </li>
        ))}
        {group.users.length === 0 && <li class="soft">{text.noMembers}</li>}
      </ul>
      {mayChange && (
        <form
          class="person-own"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <input
            type="email"
            class="field"
            list={list}
            aria-label={text.addMember(group.group)}
            placeholder={text.email}
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
          <datalist id={list}>
            {others.map((row) => (
              <option key={row.email} value={row.email}>
                {row.name}
              </option>
            ))}
          </datalist>
          <Button type="submit" icon="plus">
            {text.add}
          </Button>
        </form>
      )}
    </>
  );
}

/** Asks for the name of a new group, or for another name. */
function NameDialog({ group, onClose }: { readonly group?: Group; readonly onClose: () => void }) {
  const text = say();
  const [base, setBase] = useState(group);
  const [{ name }, type, forget, rebase] = useKept(`group ${start().account.id} ${group?._id ?? 'new'}`, {
    name: group?.group ?? '',
  });
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    const wanted = name.trim();
    if (wanted === '') return setProblem(text.nameMissing);
    setBusy(true);
    try {
      await (base ? renameGroup(base, wanted) : createGroup(wanted));
      forget();
      toast(group ? text.renamed(wanted) : text.made(wanted));
      onClose();
    } catch (error) {
      if (base && error instanceof Overtaken && error.theirs !== undefined) {
        const theirs = error.theirs as string;
        setBase({ ...base, group: theirs });
        rebase({ name: theirs }, { name });
        setProblem(text.overtaken(error.who ?? text.somebody, theirs));
      } else setProblem(problemText(error, text.groupIsGone));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={group ? text.renameTitle(group.group) : text.newGroup}
      problem={problem}
      isBusy={isBusy}
      main={group ? text.rename : text.make}
      onSend={send}
      onClose={onClose}
    >
      <label>
        <span>{text.nameOfIt}</span>
        <input autofocus value={name} onInput={(event) => type({ name: event.currentTarget.value })} />
      </label>
    </FormDialog>
  );
}

function DeleteGroup({
  group,
  all,
  rows,
  onClose,
}: GroupsProps & { readonly group: Group; readonly onClose: () => void }) {
  const text = say();
  const losses = lossesOfGroup(group, rows, all);
  const nameOf = (email: string) => rows.find((row) => row.email === email)?.name || email;
  return (
    <Question
      title={text.deleteGroupTitle(group.group)}
      main={text.deleteIt}
      said={text.deleted(group.group)}
      work={() => deleteGroup(group)}
      gone={text.groupIsGone}
      onClose={onClose}
    >
      {losses.length === 0 ? (
        <p>{text.nobodyLoses}</p>
      ) : (
        <>
          <p>{text.groupLost(losses.length)}</p>
          <Some
            more={text.more}
            items={losses.map(({ email, workspaces, allIn }) =>
              allIn.length > 0
                ? text.losesAll(nameOf(email), allIn.join(', '))
                : text.losesSome(nameOf(email), workspaces.join(', ')),
            )}
          />
        </>
      )}
      <p class="hint">{text.groupHint}</p>
    </Question>
  );
}
