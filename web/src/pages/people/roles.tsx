import { useState } from 'preact/hooks';
import type { People, Role } from '../../data/people/people.ts';
import { createRole, deleteRole, updateRole } from '../../data/people/roles.ts';
import { Overtaken } from '../../data/requests/overtaken.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { Conflicts } from '../../parts/conflicts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import type { Conflict } from '../../ui/form/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { toast } from '../../ui/toast.tsx';
import { problemText } from './problem-text.ts';
import { Question, Some } from './question.tsx';
import { rightText } from './right-text.ts';
import { holdersOf, overNewer, type PersonRow } from './rows.ts';
import { useKept } from './use-kept.ts';
import { say } from './words.ts';

type RolesProps = { readonly all: People; readonly rows: readonly PersonRow[] };
type Asked = { readonly kind: 'create' } | { readonly kind: 'change' | 'delete'; readonly role: Role };

/** All there are, in the order of docs/reference/people-and-security.md#permissions-and-roles. */
const allRights = (): readonly string[] => Object.keys(say().rights);

/** Shows the roles of the account, with the rights that each gives. */
export function Roles({ all, rows }: RolesProps) {
  const text = say();
  const [asked, setAsked] = useState<Asked>();
  const mayChange = isAdministrator();
  const close = () => setAsked(undefined);
  return (
    <>
      {mayChange && (
        <p class="buttons">
          <Button icon="plus" onClick={() => setAsked({ kind: 'create' })}>
            {text.newRole}
          </Button>
        </p>
      )}
      <ScrollArea class="access" label={text.tabs.roles}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.right}</th>
              {all.roles.map((role) => (
                <th key={role._id} scope="col">
                  <bdi>{role.name}</bdi>
                  <span class="soft">{text.heldBy(holdersOf(role, all).length)}</span>
                  {mayChange && (
                    <span class="role-tools">
                      <Button
                        look="bare"
                        icon="pencil"
                        aria-label={`${text.change}: ${role.name}`}
                        onClick={() => setAsked({ kind: 'change', role })}
                      />
                      <Button
                        look="bare"
                        icon="trash"
                        aria-label={`${text.deleteIt}: ${role.name}`}
                        onClick={() => setAsked({ kind: 'delete', role })}
                      />
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {allRights().map((right) => (
              <tr key={right}>
                <th scope="row">{rightText(right)}</th>
                {all.roles.map(({ _id, permissions }) => (
                  <td key={_id}>
                    {permissions.includes(right) ? (
                      <>
                        <Icon name="check" />
                        <span class="unseen">{text.yes}</span>
                      </>
                    ) : (
                      <span class="soft">{text.noRole}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {asked?.kind === 'create' && <RoleDialog onClose={close} />}
      {asked?.kind === 'change' && <RoleDialog role={asked.role} onClose={close} />}
      {asked?.kind === 'delete' && (
        <DeleteRole
          all={all}
          rows={rows}
          role={all.roles.find(({ _id }) => _id === asked.role._id) ?? asked.role}
          onClose={close}
        />
      )}
    </>
  );
}

/** @param role as it was when the dialog was opened */
function RoleDialog({ role, onClose }: { readonly role?: Role; readonly onClose: () => void }) {
  const text = say();
  const [{ name, permissions }, type, forget, rebase] = useKept(`role ${start().account.id} ${role?._id ?? 'new'}`, {
    name: role?.name ?? '',
    permissions: role?.permissions ?? ['VIEW'],
  });
  const [base, setBase] = useState(role);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const takeOver = (before: Role, theirs: Role, who: string | undefined) => {
    const settings = ({ name: called, permissions: rights }: Role) => ({ name: called, permissions: rights });
    const next = overNewer(settings(before), { name, permissions }, settings(theirs));
    setBase(theirs);
    rebase(settings(theirs), next.values);
    setConflicts(next.conflicts);
    setProblem(text.overtaken(who ?? text.somebody, changeText(before, theirs)));
  };
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    const wanted = name.trim();
    if (wanted === '') return setProblem(text.nameMissing);
    setBusy(true);
    setConflicts([]);
    try {
      await (base
        ? updateRole(base, { ...(wanted !== base.name && { name: wanted }), permissions })
        : createRole({ name: wanted, permissions }));
      forget();
      toast(role ? text.roleChanged(wanted) : text.made(wanted));
      onClose();
    } catch (error) {
      const theirs = error instanceof Overtaken ? (error.theirs as Role | undefined) : undefined;
      if (base && theirs) takeOver(base, theirs, (error as Overtaken<Role>).who);
      else setProblem(problemText(error, text.roleIsGone));
      setBusy(false);
    }
  };
  const set = (right: string, isOn: boolean) =>
    type({ permissions: isOn ? [...permissions, right] : permissions.filter((permission) => permission !== right) });
  return (
    <FormDialog
      title={role ? text.changeTitle(role.name) : text.newRole}
      problem={problem}
      isBusy={isBusy}
      main={role ? text.save : text.make}
      onSend={send}
      onClose={onClose}
    >
      <label>
        <span>{text.nameOfIt}</span>
        <input autofocus value={name} onInput={(event) => type({ name: event.currentTarget.value })} />
      </label>
      <fieldset class="role-rights">
        <legend>{text.mayDo}</legend>
        {allRights().map((right) => (
          <label key={right} class="check">
            <input
              type="checkbox"
              checked={right === 'VIEW' || permissions.includes(right)}
              disabled={right === 'VIEW'}
              onChange={(event) => set(right, event.currentTarget.checked)}
            />
            <span>{rightText(right)}</span>
          </label>
        ))}
      </fieldset>
      <Conflicts
        conflicts={conflicts}
        labels={{ name: text.nameOfIt }}
        onSettle={(conflict, isMine) => {
          setConflicts([]);
          if (!isMine) type({ name: String(conflict.theirs) });
        }}
      />
    </FormDialog>
  );
}

/** Names the change that somebody else has made to a role: another name, rights that came and that went. */
function changeText(before: Role, after: Role): string {
  const text = say();
  const named = (rights: readonly string[]) => rights.map(rightText).join(', ');
  const came = after.permissions.filter((right) => !before.permissions.includes(right));
  const went = before.permissions.filter((right) => !after.permissions.includes(right));
  return [
    after.name === before.name ? '' : after.name,
    came.length > 0 ? text.rightsCame(named(came)) : '',
    went.length > 0 ? text.rightsWent(named(went)) : '',
  ]
    .filter(Boolean)
    .join('; ');
}

function DeleteRole({ role, all, rows, onClose }: RolesProps & { readonly role: Role; readonly onClose: () => void }) {
  const text = say();
  const holders = holdersOf(role, all);
  const nameOf = (who: string) => rows.find(({ email }) => email === who)?.name || who;
  return (
    <Question
      title={text.deleteRoleTitle(role.name)}
      main={text.deleteIt}
      said={text.deleted(role.name)}
      work={() => deleteRole(role)}
      gone={text.roleIsGone}
      onClose={onClose}
    >
      {holders.length === 0 ? (
        <p>{text.nobodyHas}</p>
      ) : (
        <>
          <p>{text.roleLost(holders.length)}</p>
          <Some
            more={text.more}
            items={holders.map(({ who, workspaces }) => `${nameOf(who)}: ${workspaces.join(', ')}`)}
          />
        </>
      )}
    </Question>
  );
}
