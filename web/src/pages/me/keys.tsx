import { useState } from 'preact/hooks';
import { createKey, deleteKey, type OwnKey, readKeys, readWorkspaces } from '../../data/people/me.ts';
import { newKey } from '../../data/requests/client.ts';
import { isRefusal } from '../../data/requests/failures.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { At, Since } from '../../parts/since.tsx';
import { type Draft, useDraft } from '../../parts/typed-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { Once } from '../../ui/once.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

/** With `key` the same key is made once, however often it is asked for. */
type Typed = {
  readonly label: string;
  readonly permission: string;
  readonly accessLevel: string;
  readonly chosen: readonly string[];
  readonly key: string;
};
const nothing = (): Typed => ({
  label: '',
  permission: 'READ_ONLY',
  accessLevel: 'WORKSPACES',
  chosen: [],
  key: newKey(),
});

/** Shows keys for programs that act for the person in this account. */
export function Keys() {
  const text = say();
  const { ui } = words.value;
  const held = useAsked(readKeys, []);
  const workspaces = useAsked(readWorkspaces, []);
  const draft = useDraft<Typed>('own key', nothing());
  const [made, setMade] = useState<OwnKey>();
  const [goes, setGoes] = useState<OwnKey>();
  const nameOf = (id: string) => workspaces.value?.find(({ _id }) => _id === id)?.name ?? text.deletedWorkspace;
  const whereOf = ({ accessLevel, workspaceIds = [] }: OwnKey) =>
    accessLevel === 'LIMITED_WORKSPACES'
      ? workspaceIds.map(nameOf).join(', ') || text.noWorkspace
      : levelText(accessLevel);
  const make = (
    <Button look="main" icon="plus" onClick={() => draft.open('', nothing())}>
      {text.newKey}
    </Button>
  );
  return (
    <>
      <p class="soft">{text.keysText}</p>
      {held.error !== undefined && <Problem text={errorText(held.error)} again={held.again} againText={ui.again} />}
      {held.value === undefined && held.error === undefined && <Busy text={ui.loading} />}
      {held.value?.length === 0 && (
        <EmptyState icon="cube" title={text.noKeys} action={make}>
          {text.noKeysText}
        </EmptyState>
      )}
      {held.value && held.value.length > 0 && (
        <>
          <p class="buttons">{make}</p>
          <ul class="own-list" aria-label={text.tabs.keys}>
            {held.value.map((key) => (
              <li key={key._id}>
                <div>
                  <strong dir="auto">{key.label}</strong>
                  <p>
                    {text.permissions[key.permission === 'MODIFY' ? 'MODIFY' : 'READ_ONLY']}: <bdi>{whereOf(key)}</bdi>
                  </p>
                  <p class="soft">
                    <code>…{key.last4}</code> · {text.madeAt} <At iso={key.createdTime} /> ·{' '}
                    {key.lastUsedTime === undefined ? (
                      text.notUsed
                    ) : (
                      <>
                        {text.usedAt} <Since iso={key.lastUsedTime} />
                      </>
                    )}
                  </p>
                </div>
                <Button icon="trash" aria-label={text.revokeOf(key.label)} onClick={() => setGoes(key)}>
                  {text.revoke}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {draft.target !== undefined && (
        <NewKeyDialog
          draft={draft}
          workspaces={workspaces.value ?? []}
          onMade={(key) => {
            setMade(key);
            held.again();
          }}
        />
      )}
      {made?.key !== undefined && (
        <Dialog title={text.keyMade(made.label)}>
          <div class="form">
            <p>{text.keyOnce}</p>
            <Once value={made.key} label={text.copy} copied={text.copied} failed={text.copyFailed} />
            <p class="buttons">
              <Button look="main" onClick={() => setMade(undefined)}>
                {text.keptIt}
              </Button>
            </p>
          </div>
        </Dialog>
      )}
      {goes && <RevokeDialog of={goes} onDone={held.again} onClose={() => setGoes(undefined)} />}
    </>
  );
}

const levelText = (level: string): string => {
  const { levels } = say();
  return Object.hasOwn(levels, level) ? levels[level as keyof typeof levels] : level;
};

type NewKeyProps = {
  readonly draft: Draft<Typed>;
  readonly workspaces: readonly { readonly _id: string; readonly name: string }[];
  readonly onMade: (key: OwnKey) => void;
};

function NewKeyDialog({ draft, workspaces, onMade }: NewKeyProps) {
  const text = say();
  const { label, permission, accessLevel, chosen, key } = draft.values;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isLimited = accessLevel === 'LIMITED_WORKSPACES';
  const send = async () => {
    const lack = label.trim() === '' ? text.labelMissing : isLimited && chosen.length === 0 ? text.chooseOne : '';
    setProblem(lack);
    if (lack !== '') return;
    setBusy(true);
    try {
      const body = { label: label.trim(), permission, accessLevel, ...(isLimited && { workspaceIds: chosen }) };
      const made = await createKey(body, key);
      draft.drop();
      onMade(made);
    } catch (error) {
      setProblem(errorText(error));
      // Another try asks for something else.
      if (isRefusal(error)) draft.change({ key: newKey() });
      setBusy(false);
    }
  };
  const levels = ['WORKSPACES', 'LIMITED_WORKSPACES', ...(isAdministrator() ? ['ACCOUNT'] : [])];
  return (
    <FormDialog
      title={text.newKey}
      problem={problem}
      isBusy={isBusy}
      main={text.makeKey}
      onCancel={draft.drop}
      onSend={send}
      onClose={draft.close}
    >
      <label>
        <span>{text.label}</span>
        <input
          autofocus
          maxLength={120}
          value={label}
          onInput={(event) => draft.change({ label: event.currentTarget.value })}
        />
      </label>
      <p class="hint">{text.labelHint}</p>
      <label>
        <span>{text.itMay}</span>
        <select value={permission} onChange={(event) => draft.change({ permission: event.currentTarget.value })}>
          {(['READ_ONLY', 'MODIFY'] as const).map((one) => (
            <option key={one} value={one}>
              {text.permissions[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{text.itsPlace}</span>
        <select value={accessLevel} onChange={(event) => draft.change({ accessLevel: event.currentTarget.value })}>
          {levels.map((level) => (
            <option key={level} value={level}>
              {levelText(level)}
            </option>
          ))}
        </select>
      </label>
      {isLimited && (
        <fieldset class="own-choice">
          <legend>{text.which}</legend>
          {workspaces.map(({ _id, name }) => (
            <label key={_id} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(_id)}
                onChange={(event) =>
                  draft.change({
                    chosen: event.currentTarget.checked ? [...chosen, _id] : chosen.filter((one) => one !== _id),
                  })
                }
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

type RevokeProps = { readonly of: OwnKey; readonly onDone: () => void; readonly onClose: () => void };

function RevokeDialog({ of, onDone, onClose }: RevokeProps) {
  const text = say();
  const { ui } = words.value;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await deleteKey(of._id);
      toast(text.revoked(of.label));
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
    onDone();
  };
  return (
    <Dialog title={text.revokeTitle(of.label)} onClose={isBusy ? undefined : onClose} closeText={ui.close}>
      <div class="form">
        <p>
          {text.revokeText}{' '}
          {of.lastUsedTime === undefined ? (
            text.notUsed
          ) : (
            <>
              {text.usedAt} <Since iso={of.lastUsedTime} />
            </>
          )}
          .
        </p>
        <DialogAnswers
          problem={problem}
          isBusy={isBusy}
          main={text.revoke}
          cancel={ui.cancel}
          onCancel={onClose}
          look="danger"
          onMain={revoke}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}
