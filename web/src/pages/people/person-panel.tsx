import { useState } from 'preact/hooks';
import { type Before, grant, removePerson, revoke } from '../../data/people/access.ts';
import { setAdministrator, setMember } from '../../data/people/groups.ts';
import type { Access, People, Workspace } from '../../data/people/people.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { times } from '../../data/times.ts';
import { Since } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pick } from '../../ui/pick.tsx';
import { words } from '../../words/index.ts';
import { act } from './acting.ts';
import { EndDialog, type Ending } from './end-dialog.tsx';
import { Question, Some } from './question.tsx';
import { type PersonAccess, type PersonRow, rightsIn } from './rows.ts';
import { say } from './words.ts';

type PanelProps = {
  readonly row: PersonRow;
  readonly all: People;
  /** It stands beside the list, and over it otherwise. */
  readonly isBeside: boolean;
  readonly onClose: () => void;
};
type Asked = { readonly kind: 'remove' | 'administrator' } | { readonly kind: 'end'; readonly ending: Ending };

/** Shows the rights of a person and where they come from, and changes them. */
export function PersonPanel({ row, all, isBeside, onClose }: PanelProps) {
  const text = say();
  const { ui } = words.value;
  const [asked, setAsked] = useState<Asked>();
  const { email, standing } = row;
  const name = row.name || email;
  const isMe = email === start().person.email;
  const shared = all.workspaces.filter((workspace) => may('SECURITY', workspace));
  const taken = shared.filter(({ _id }) => row.access.get(_id)?.direct);
  const mayRemove = !isMe && standing !== 'OWNER' && (isAdministrator() || (standing === 'USER' && taken.length > 0));
  const content = (
    <div class="person">
      <p class="soft">
        {row.name !== '' && <bdi class="person-mail">{email}</bdi>}
        {isMe && <span>{text.isYou}</span>}
        <span>
          {text.columns.lastLogin}: <Since iso={row.lastLogin} text={text.never} />
        </span>
      </p>
      {standing === 'USER' ? (
        <Workspaces row={row} all={all} onEnd={(ending) => setAsked({ kind: 'end', ending })} />
      ) : (
        <p>{text.mayAll[standing]}</p>
      )}
      {(isAdministrator() || row.groups.length > 0) && <Groups row={row} all={all} />}
      {mayRemove && (
        <p class="buttons">
          {isAdministrator() && standing === 'USER' && (
            <Button
              onClick={() =>
                act(
                  () => setAdministrator(email, true),
                  text.isAdministratorNow(name),
                  () => setAdministrator(email, false),
                )
              }
            >
              {text.makeAdministrator}
            </Button>
          )}
          {standing === 'ADMINISTRATOR' && (
            <Button onClick={() => setAsked({ kind: 'administrator' })}>{text.takeAdministrator}</Button>
          )}
          <Button icon="trash" onClick={() => setAsked({ kind: 'remove' })}>
            {isAdministrator() ? text.removeFromAccount : text.removeFromYours}
          </Button>
        </p>
      )}
    </div>
  );
  return (
    <>
      {isBeside ? (
        <aside class="beside-panel" aria-labelledby="person">
          <header class="page-head">
            <h2 id="person" dir="auto">
              {name}
            </h2>
            <Button look="bare" icon="close" aria-label={ui.close} onClick={onClose} />
          </header>
          {content}
        </aside>
      ) : (
        <Dialog title={name} onClose={onClose} closeText={ui.close} class="is-large">
          {content}
        </Dialog>
      )}
      {asked?.kind === 'end' && <EndDialog ending={asked.ending} onClose={() => setAsked(undefined)} />}
      {asked?.kind === 'administrator' && (
        <Question
          title={text.takeAdministratorTitle(name)}
          main={text.takeAdministrator}
          said={text.isAdministratorNoMore(name)}
          work={() => setAdministrator(email, false)}
          onClose={() => setAsked(undefined)}
        >
          <p>{text.administratorLost}</p>
        </Question>
      )}
      {asked?.kind === 'remove' && (
        <Question
          title={text.removeTitle(name)}
          main={text.remove}
          said={text.removed(name)}
          work={() => removePerson(email, isAdministrator() ? undefined : taken.map(({ _id }) => _id))}
          onClose={() => setAsked(undefined)}
          onDone={onClose}
        >
          <p>{text.removeLost}</p>
          <Some
            more={text.more}
            items={[
              // Earlier roles of an administrator are not shown.
              ...(standing === 'ADMINISTRATOR' ? [text.standings.ADMINISTRATOR, text.rolesBefore] : []),
              ...(isAdministrator() ? row.groups.map(text.inGroup) : []),
              ...(isAdministrator() ? all.workspaces : taken).flatMap(({ _id, name: workspace }) => {
                const direct = row.access.get(_id)?.direct;
                return direct ? text.roleIn(direct.role || text.roleGone, workspace) : [];
              }),
            ]}
          />
          <p class="hint">{isAdministrator() ? text.removeHint : text.removeHereHint}</p>
        </Question>
      )}
    </>
  );
}

type WorkspacesProps = Pick<PanelProps, 'row' | 'all'> & { readonly onEnd: (ending: Ending) => void };

function Workspaces({ row, all, onEnd }: WorkspacesProps) {
  const text = say();
  const name = row.name || row.email;
  const shown = all.workspaces.filter(({ _id }) => row.access.has(_id));
  const others = all.workspaces.filter(
    (workspace) => !row.access.get(workspace._id)?.direct && may('SECURITY', workspace),
  );
  return (
    <section aria-label={text.inWhich}>
      <h3>{text.inWhich}</h3>
      {shown.length === 0 && <p class="soft">{text.nothing}</p>}
      {shown.map((workspace) => (
        <InWorkspace
          key={workspace._id}
          row={row}
          all={all}
          workspace={workspace}
          access={row.access.get(workspace._id)!}
          onEnd={(direct) =>
            onEnd({
              who: { user: row.email },
              name,
              workspace,
              role: direct.role,
              expiryTime: direct.expiryTime ?? null,
            })
          }
        />
      ))}
      {others.length > 0 && all.roles.length > 0 && <Give row={row} all={all} others={others} />}
    </section>
  );
}

type InWorkspaceProps = Pick<PanelProps, 'row' | 'all'> & {
  readonly workspace: Workspace;
  readonly access: PersonAccess;
  readonly onEnd: (direct: Access) => void;
};

function InWorkspace({ row, all, workspace, access, onEnd }: InWorkspaceProps) {
  const text = say();
  const { whole } = times();
  const { direct, byGroups } = access;
  const name = row.name || row.email;
  const isOpen = may('SECURITY', workspace);
  const who = { user: row.email };
  const back = (was: Before) =>
    grant(workspace._id, who, { role: direct!.role, expiryTime: direct!.expiryTime ?? null }, { was });
  const end = (time: string | null | undefined) => (time ? text.endsAt(whole(Date.parse(time))) : '');
  return (
    <article class="person-place">
      <h4 dir="auto">{workspace.name}</h4>
      {direct && (
        <div class="person-own">
          {isOpen ? (
            <label>
              <span class="unseen">{text.cell(name, workspace.name)}</span>
              <select
                value={direct.role}
                onChange={({ currentTarget: { value } }) =>
                  void act(
                    () => grant(workspace._id, who, { role: value }, { was: direct }),
                    text.changed(name, workspace.name, value),
                    direct.role === '' ? undefined : () => back({ ...direct, role: value }),
                  )
                }
              >
                {direct.role === '' && <option value="">{text.roleGone}</option>}
                {all.roles.map(({ _id, name: role }) => (
                  <option key={_id} value={role}>
                    {role}
                  </option>
                ))}
              </select>
            </label>
          ) : (
            <bdi>{direct.role || text.roleGone}</bdi>
          )}
          <span class="soft">{end(direct.expiryTime)}</span>
          {isOpen && direct.role !== '' && (
            <Button icon="clock" onClick={() => onEnd(direct)} aria-label={`${text.end}: ${workspace.name}`}>
              {text.end}
            </Button>
          )}
          {isOpen && (
            <Button
              icon="trash"
              aria-label={`${text.take}: ${workspace.name}`}
              title={text.take}
              onClick={() =>
                act(
                  () => revoke(workspace._id, who),
                  text.taken(name, workspace.name),
                  direct.role === '' ? undefined : () => back(null),
                )
              }
            />
          )}
        </div>
      )}
      {byGroups.map(({ group, role, expiryTime }) => (
        <p key={group}>
          {text.byGroupOf(group, role || text.roleGone)} <span class="soft">{end(expiryTime)}</span>
        </p>
      ))}
      <details>
        <summary>{text.mayThere(rightsIn(access).length)}</summary>
        <p class="soft">{rightsIn(access).map(rightText).join(' · ')}</p>
      </details>
    </article>
  );
}

export const rightText = (right: string): string => {
  const { rights } = say();
  return Object.hasOwn(rights, right) ? rights[right as keyof typeof rights] : right;
};

function Give({ row, all, others }: Pick<PanelProps, 'row' | 'all'> & { readonly others: readonly Workspace[] }) {
  const text = say();
  const [workspaceId, setWorkspaceId] = useState('');
  const workspace = others.find(({ _id }) => _id === workspaceId);
  const who = { user: row.email };
  const give = async (role: string) => {
    if (!workspace) return;
    const { _id, name } = workspace;
    if (
      await act(
        () => grant(_id, who, { role }, { was: null }),
        text.changed(row.name || row.email, name, role),
        () => revoke(_id, who),
      )
    )
      setWorkspaceId('');
  };
  return (
    <div class="person-own">
      <select
        aria-label={text.alsoIn}
        value={workspaceId}
        onChange={(event) => setWorkspaceId(event.currentTarget.value)}
      >
        <option value="">{text.alsoIn}</option>
        {others.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </select>
      {workspace && (
        <Pick
          label={text.role}
          none={`${text.role} …`}
          options={all.roles.map(({ name }) => [name, name] as const)}
          main={words.value.ui.add}
          onPick={give}
          isFocused
        />
      )}
    </div>
  );
}

function Groups({ row, all }: Pick<PanelProps, 'row' | 'all'>) {
  const text = say();
  const name = row.name || row.email;
  const mayChange = isAdministrator();
  const joined = all.groups.filter(({ group }) => row.groups.includes(group));
  const others = all.groups.filter(({ group }) => !row.groups.includes(group));
  const set = ({ _id, group }: (typeof joined)[number], isOne: boolean) =>
    act(
      () => setMember(_id, row.email, isOne),
      isOne ? text.memberNow(name, group) : text.memberNoMore(name, group),
      () => setMember(_id, row.email, !isOne),
    );
  return (
    <section aria-label={text.columns.groups}>
      <h3>{text.columns.groups}</h3>
      {joined.length === 0 && <p class="soft">{text.noGroups}</p>}
      <ul class="chips">
        {joined.map((group) => (
          <li key={group.group}>
            <bdi>{group.group}</bdi>
            {mayChange && (
              <Button
                look="bare"
                icon="close"
                aria-label={text.takeOut(name, group.group)}
                onClick={() => set(group, false)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && others.length > 0 && (
        <Pick
          label={text.addToGroup}
          none={text.addToGroup}
          options={others.map(({ group }) => [group, group] as const)}
          main={words.value.ui.add}
          onPick={(name) => {
            const chosen = others.find(({ group }) => group === name);
            if (chosen) return set(chosen, true);
          }}
        />
      )}
    </section>
  );
}
