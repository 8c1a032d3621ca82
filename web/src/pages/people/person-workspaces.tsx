import { useState } from 'preact/hooks';
import { type Before, grant, revoke } from '../../data/people/access.ts';
import type { Access, Workspace } from '../../data/people/people.ts';
import { may } from '../../data/session/rights.ts';
import { times } from '../../data/times.ts';
import { Button } from '../../ui/button.tsx';
import { Pick } from '../../ui/pick.tsx';
import { words } from '../../words/index.ts';
import { act } from './acting.ts';
import type { Ending } from './end-dialog.tsx';
import { rightText } from './right-text.ts';
import { type PersonAccess, type PersonOf, rightsIn } from './rows.ts';
import { say } from './words.ts';

type WorkspacesProps = PersonOf & { readonly onEnd: (ending: Ending) => void };

/** Shows the Workspaces that a person may enter, and the roles there. */
export function Workspaces({ row, all, onEnd }: WorkspacesProps) {
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

type InWorkspaceProps = PersonOf & {
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

function Give({ row, all, others }: PersonOf & { readonly others: readonly Workspace[] }) {
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
