import { useState } from 'preact/hooks';
import {
  type AccountKey,
  createAccountKey,
  deleteAccountKey,
  type KeyBody,
  readAccountKeys,
  updateAccountKey,
} from '../../data/account/account-keys.ts';
import { readWorkspaces } from '../../data/people/me.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { At, Since } from '../../parts/since.tsx';
import { type Draft, useDraft } from '../../parts/typed-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/labelled-field.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Once } from '../../ui/once.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from '../../words/index.ts';
import { Ask } from './ask.tsx';
import { Read } from './read.tsx';
import { useAccountNews } from './use-account-news.ts';
import { useSaving } from './use-saving.ts';
import { say } from './words.ts';

/** The attributes of a key are typed, over the label that it had and its revision. */
type Typed = Required<KeyBody> & { readonly user: string; readonly base: string; readonly revision: number };
const NEW: Typed = {
  label: '',
  permission: 'READ_ONLY',
  accessLevel: 'WORKSPACES',
  workspaceIds: [],
  user: '',
  base: '',
  revision: 0,
};
const LEVELS = ['WORKSPACES', 'LIMITED_WORKSPACES', 'ACCOUNT'] as const;
const PERMISSIONS = ['READ_ONLY', 'MODIFY'] as const;

type Workspaces = readonly { readonly _id: string; readonly name: string }[];

/** Shows keys of the account: for programs, whoever has made them. */
export function Keys() {
  const text = say().keys;
  const asked = useAsked((signal) => readAccountKeys(signal), []);
  const workspaces = useAsked(readWorkspaces, []);
  const draft = useDraft<Typed>('key', NEW);
  const [goes, setGoes] = useState<AccountKey>();
  const [made, setMade] = useState<AccountKey>();
  useAccountNews(/ API key /, asked.again);
  const names = new Map((workspaces.value ?? []).map(({ _id, name }) => [_id, name]));
  const edit = ({ _id, label, permission, accessLevel, workspaceIds = [], user = '', revision }: AccountKey) =>
    draft.open(_id, { label, permission, accessLevel, workspaceIds, user, base: label, revision });
  const add = (
    <Button look="main" icon="plus" onClick={() => draft.open('', NEW)}>
      {text.add}
    </Button>
  );
  return (
    <Read asked={asked}>
      {(all) => (
        <>
          <p class="account-lead">{text.lead}</p>
          {all.length === 0 && <EmptyState icon="cube" title={text.none} action={add} />}
          {all.length > 0 && (
            <>
              <p>{add}</p>
              <ul class="account-list" aria-label={text.title}>
                {all.map((key) => (
                  <li key={key._id}>
                    <div class="account-text">
                      <bdi class="account-name">{key.label}</bdi>
                      <span>
                        {text.permissions[key.permission === 'MODIFY' ? 'MODIFY' : 'READ_ONLY']}: {placeOf(key, names)}
                      </span>
                      <span class="soft">
                        <code>…{key.last4}</code> · {key.user !== undefined && <bdi>{key.user}</bdi>} · {text.madeAt}{' '}
                        <At iso={key.createdTime} /> · {usedOf(key)}
                      </span>
                    </div>
                    <span class="account-tools">
                      <Button
                        look="bare"
                        icon="pencil"
                        aria-label={text.change(key.label)}
                        title={text.change(key.label)}
                        onClick={() => edit(key)}
                      />
                      <Button
                        look="bare"
                        icon="trash"
                        aria-label={text.revokeOf(key.label)}
                        title={text.revokeOf(key.label)}
                        onClick={() => setGoes(key)}
                      />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
          {draft.target !== undefined && (
            <Edit draft={draft} workspaces={workspaces.value ?? []} onSaved={asked.again} onMade={setMade} />
          )}
          {made?.key !== undefined && <Shown made={made} onClose={() => setMade(undefined)} />}
          {goes && <Revoke of={goes} onClose={() => setGoes(undefined)} onDone={asked.again} />}
        </>
      )}
    </Read>
  );
}

function placeOf({ accessLevel, workspaceIds = [] }: AccountKey, names: ReadonlyMap<string, string>): string {
  const text = say().keys;
  if (accessLevel !== 'LIMITED_WORKSPACES') return text.levels[accessLevel === 'ACCOUNT' ? 'ACCOUNT' : 'WORKSPACES'];
  return workspaceIds.map((id) => names.get(id) ?? text.deletedWorkspace).join(', ') || text.noWorkspace;
}

function usedOf({ lastUsedTime }: AccountKey) {
  const text = say().keys;
  if (lastUsedTime === undefined) return text.notUsed;
  return (
    <>
      {text.usedAt} <Since iso={lastUsedTime} />
    </>
  );
}

type EditProps = {
  readonly draft: Draft<Typed>;
  readonly workspaces: Workspaces;
  readonly onSaved: () => void;
  readonly onMade: (key: AccountKey) => void;
};

function Edit({ draft, workspaces, onSaved, onMade }: EditProps) {
  const text = say().keys;
  const { ui } = words.value;
  const { target = '', values } = draft;
  const isNew = target === '';
  const isLimited = values.accessLevel === 'LIMITED_WORKSPACES';
  const saving = useSaving<AccountKey>(['label', 'permission', 'accessLevel', 'workspaceIds', 'user'], (theirs) => {
    // A revoked key stays so: what was typed makes a new key.
    if (theirs === undefined) draft.open('', { ...NEW, ...values, base: '', revision: 0 });
    else draft.change({ base: theirs.label, revision: theirs.revision });
    return theirs?.label ?? say().gone;
  });
  // The API takes a key for nothing, which nobody means here.
  const isForNothing = isLimited && values.workspaceIds.length === 0;
  const [isComplaining, setComplaining] = useState(false);
  const save = async () => {
    setComplaining(isForNothing);
    if (isForNothing) return;
    await saving.run(async () => {
      const { permission, accessLevel, workspaceIds } = values;
      const label = values.label.trim();
      const body = { label, permission, accessLevel, ...(isLimited && { workspaceIds }) };
      if (isNew) onMade(await createAccountKey(body, values.user.trim() || undefined));
      else {
        await updateAccountKey(target, values.revision, body);
        toast(say().saved(label));
      }
      draft.drop();
      onSaved();
    });
  };
  return (
    <FormDialog
      title={isNew ? text.add : text.change(values.base)}
      problem={saving.problem}
      isBusy={saving.isBusy}
      main={isNew ? text.make : ui.save}
      onCancel={draft.drop}
      onSend={save}
      onClose={draft.close}
    >
      <Field label={text.label} hint={text.labelHint} problem={saving.problemOf('label')}>
        {(control) => (
          <input
            {...control}
            autofocus
            dir="auto"
            autocomplete="off"
            value={values.label}
            onInput={(event) => draft.change({ label: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={text.itMay} problem={saving.problemOf('permission')}>
        {(control) => (
          <select {...control} onChange={(event) => draft.change({ permission: event.currentTarget.value })}>
            {PERMISSIONS.map((permission) => (
              <option key={permission} value={permission} selected={permission === values.permission}>
                {text.permissions[permission]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text.itsPlace} problem={saving.problemOf('accessLevel')}>
        {(control) => (
          <select {...control} onChange={(event) => draft.change({ accessLevel: event.currentTarget.value })}>
            {LEVELS.map((level) => (
              <option key={level} value={level} selected={level === values.accessLevel}>
                {text.levels[level]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isLimited && (
        <fieldset class="account-choice">
          <legend>{text.which}</legend>
          {workspaces.map(({ _id, name }) => (
            <label key={_id} class="check">
              <input
                type="checkbox"
                checked={values.workspaceIds.includes(_id)}
                onChange={(event) =>
                  draft.change({
                    workspaceIds: event.currentTarget.checked
                      ? [...values.workspaceIds, _id]
                      : values.workspaceIds.filter((id) => id !== _id),
                  })
                }
              />
              <bdi>{name}</bdi>
            </label>
          ))}
          <p class="problem" role="alert">
            {isComplaining && isForNothing ? text.chooseOne : saving.problemOf('workspaceIds')}
          </p>
        </fieldset>
      )}
      {isNew && (
        <Field label={text.user} hint={text.userHint} problem={saving.problemOf('user')}>
          {(control) => (
            <input
              {...control}
              type="email"
              autocomplete="off"
              value={values.user}
              onInput={(event) => draft.change({ user: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

function Shown({ made, onClose }: { readonly made: AccountKey; readonly onClose: () => void }) {
  const text = say().keys;
  return (
    <Dialog title={text.made(made.label)}>
      <div class="form">
        <p>{text.once}</p>
        <Once value={made.key ?? ''} label={text.copy} copied={text.copied} failed={text.copyFailed} />
        <p class="buttons">
          <Button look="main" onClick={onClose}>
            {text.keptIt}
          </Button>
        </p>
      </div>
    </Dialog>
  );
}

type RevokeProps = { readonly of: AccountKey; readonly onClose: () => void; readonly onDone: () => void };

/** Says before when the key was used last: what uses it stops. */
function Revoke({ of, onClose, onDone }: RevokeProps) {
  const text = say().keys;
  const [base, setBase] = useState(of);
  return (
    <Ask<AccountKey>
      title={text.revokeTitle(of.label)}
      main={text.revoke}
      run={async () => {
        await deleteAccountKey(base);
        onDone();
        toast(text.revoked(of.label));
      }}
      theirs={(theirs) => {
        if (theirs) setBase(theirs);
        return theirs?.label ?? say().gone;
      }}
      onClose={onClose}
    >
      <p>{text.revokeText}</p>
      <p>
        <code>…{of.last4}</code> · {usedOf(of)}
      </p>
    </Ask>
  );
}
