import { useState } from 'preact/hooks';
import { createKey, deleteKey, type OwnKey, readKeys, readWorkspaces } from '../../data/me.ts';
import { isAdministrator } from '../../data/rights.ts';
import { useAsked } from '../../data/use-asked.ts';
import { At, Since } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { Once } from '../../ui/once.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

type Asked = { readonly kind: 'create' } | { readonly kind: 'delete'; readonly key: OwnKey };

/** Keys for programs that act for the person in this account. */
export function Keys() {
  const text = say();
  const { ui } = words.value;
  const held = useAsked(readKeys, []);
  const workspaces = useAsked(readWorkspaces, []);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const nameOf = (id: string) => workspaces.value?.find(({ _id }) => _id === id)?.name ?? text.deletedWorkspace;
  const whereOf = ({ accessLevel, workspaceIds = [] }: OwnKey) =>
    accessLevel === 'LIMITED_WORKSPACES'
      ? workspaceIds.map(nameOf).join(', ') || text.noWorkspace
      : levelText(accessLevel);
  const make = (
    <Button look="main" icon="plus" onClick={() => setAsked({ kind: 'create' })}>
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
                <Button
                  icon="trash"
                  aria-label={text.revokeOf(key.label)}
                  onClick={() => setAsked({ kind: 'delete', key })}
                >
                  {text.revoke}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {asked?.kind === 'create' && (
        <NewKeyDialog workspaces={workspaces.value ?? []} onMade={held.again} onClose={close} />
      )}
      {asked?.kind === 'delete' && <RevokeDialog of={asked.key} onDone={held.again} onClose={close} />}
    </>
  );
}

const levelText = (level: string): string => {
  const { levels } = say();
  return Object.hasOwn(levels, level) ? levels[level as keyof typeof levels] : level;
};

type NewKeyProps = {
  readonly workspaces: readonly { readonly _id: string; readonly name: string }[];
  readonly onMade: () => void;
  readonly onClose: () => void;
};

function NewKeyDialog({ workspaces, onMade, onClose }: NewKeyProps) {
  const text = say();
  const { ui } = words.value;
  const [label, setLabel] = useState('');
  const [permission, setPermission] = useState('READ_ONLY');
  const [accessLevel, setLevel] = useState('WORKSPACES');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<OwnKey>();
  const isLimited = accessLevel === 'LIMITED_WORKSPACES';
  const send = async () => {
    const lack = label.trim() === '' ? text.labelMissing : isLimited && chosen.length === 0 ? text.chooseOne : '';
    setProblem(lack);
    if (lack !== '') return;
    setBusy(true);
    try {
      setMade(
        await createKey({ label: label.trim(), permission, accessLevel, ...(isLimited && { workspaceIds: chosen }) }),
      );
      onMade();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  if (made?.key !== undefined)
    return (
      <Dialog title={text.keyMade(made.label)}>
        <div class="form">
          <p>{text.keyOnce}</p>
          <Once value={made.key} label={text.copy} copied={text.copied} failed={text.copyFailed} />
          <p class="buttons">
            <Button look="main" onClick={onClose}>
              {text.keptIt}
            </Button>
          </p>
        </div>
      </Dialog>
    );
  const levels = ['WORKSPACES', 'LIMITED_WORKSPACES', ...(isAdministrator() ? ['ACCOUNT'] : [])];
  return (
    <Dialog title={text.newKey} onClose={isBusy ? undefined : onClose} closeText={ui.close}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void send();
        }}
      >
        <label>
          <span>{text.label}</span>
          <input autofocus maxLength={120} value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
        </label>
        <p class="hint">{text.labelHint}</p>
        <label>
          <span>{text.itMay}</span>
          <select value={permission} onChange={(event) => setPermission(event.currentTarget.value)}>
            {(['READ_ONLY', 'MODIFY'] as const).map((one) => (
              <option key={one} value={one}>
                {text.permissions[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{text.itsPlace}</span>
          <select value={accessLevel} onChange={(event) => setLevel(event.currentTarget.value)}>
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
                    setChosen(event.currentTarget.checked ? [...chosen, _id] : chosen.filter((one) => one !== _id))
                  }
                />
                <bdi>{name}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <DialogAnswers {...{ problem, isBusy, main: text.makeKey, cancel: ui.cancel, onCancel: onClose }} />
      </form>
    </Dialog>
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
          {...{ problem, isBusy, main: text.revoke, cancel: ui.cancel, onCancel: onClose }}
          look="danger"
          onMain={revoke}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}
