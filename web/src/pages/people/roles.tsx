import { useState } from 'preact/hooks';
import { createRole, deleteRole, type People, type Role, updateRole } from '../../data/people.ts';
import { isAdministrator } from '../../data/rights.ts';
import { start } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { rightText } from './person-panel.tsx';
import { Question, Some } from './question.tsx';
import { holdersOf, over, type PersonRow } from './rows.ts';
import { useKept } from './use-kept.ts';
import { say } from './words.ts';

type RolesProps = { readonly all: People; readonly rows: readonly PersonRow[] };
type Asked = { readonly kind: 'create' } | { readonly kind: 'change' | 'delete'; readonly role: Role };

/** All there are, in the order of docs/reference/people-and-security.md#permissions-and-roles. */
const allRights = (): readonly string[] => Object.keys(say().rights);

/** What each role of the account allows. */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled is reached by keys */}
      <section class="access" tabIndex={0} aria-label={text.tabs.roles}>
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
      </section>
      {asked?.kind === 'create' && <RoleDialog onClose={close} />}
      {asked?.kind === 'change' && (
        <RoleDialog role={all.roles.find(({ _id }) => _id === asked.role._id) ?? asked.role} onClose={close} />
      )}
      {asked?.kind === 'delete' && <DeleteRole {...{ all, rows, role: asked.role }} onClose={close} />}
    </>
  );
}

/** @param role as it is now: others may change it while the dialog is open */
function RoleDialog({ role, onClose }: { readonly role?: Role; readonly onClose: () => void }) {
  const text = say();
  const { ui } = words.value;
  const [{ name, permissions }, type, forget] = useKept(`role ${start().account.id} ${role?._id ?? 'new'}`, {
    name: role?.name ?? '',
    permissions: role?.permissions ?? ['VIEW'],
  });
  const [before] = useState(role);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    const wanted = name.trim();
    if (wanted === '') return setProblem(text.nameMissing);
    setBusy(true);
    try {
      await (role && before
        ? updateRole(role._id, {
            ...(wanted !== before.name && { name: wanted }),
            permissions: over(role.permissions, before.permissions, permissions),
          })
        : createRole({ name: wanted, permissions }));
      forget();
      toast(role ? text.roleChanged(wanted) : text.made(wanted));
      onClose();
    } catch (error) {
      setProblem((error as { status?: number }).status === 404 ? text.roleIsGone : errorText(error));
      setBusy(false);
    }
  };
  const set = (right: string, isOn: boolean) =>
    type({ permissions: isOn ? [...permissions, right] : permissions.filter((one) => one !== right) });
  return (
    <Dialog title={role ? text.changeTitle(role.name) : text.newRole} onClose={onClose} closeText={ui.close}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void send();
        }}
      >
        <label>
          <span>{text.nameOfIt}</span>
          <input autofocus maxLength={60} value={name} onInput={(event) => type({ name: event.currentTarget.value })} />
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
        <DialogAnswers
          {...{ problem, isBusy, main: role ? text.save : text.make, cancel: ui.cancel, onCancel: onClose }}
        />
      </form>
    </Dialog>
  );
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
      work={() => deleteRole(role._id)}
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
