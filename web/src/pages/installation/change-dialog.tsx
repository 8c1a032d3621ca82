import { useId, useState } from 'preact/hooks';
import { attributeOf } from '../../data/requests/failures.ts';
import { Overtaken } from '../../data/requests/overtaken.ts';
import { type AnyAccount, changeAccount } from '../../data/session/operator.ts';
import { start } from '../../data/session/session.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import type { Draft } from '../../parts/typed-draft.ts';
import { toast } from '../../ui/toast.tsx';
import { errorText, textAtField } from '../../words/error-text.ts';
import { changeOf, type FieldName, NUMBERS, over, TYPES, type Typed, typedOf } from './account-change.ts';
import { say } from './words.ts';

/** Attributes of an account are typed over the account as it was when that was begun. */
export type ChangeTyped = { readonly base: AnyAccount; readonly typed: Typed };
type ChangeProps = {
  readonly draft: Draft<ChangeTyped>;
  readonly onDone: () => void;
};
type Refused = { readonly text: string; readonly at: string | undefined };

/** Changes an account, and says before what follows for it. */
export function ChangeDialog({ draft, onDone }: ChangeProps) {
  const text = say();
  const { base: account, typed } = draft.values;
  const [refused, setRefused] = useState<Refused>();
  const [both, setBoth] = useState<readonly FieldName[]>([]);
  const [isBusy, setBusy] = useState(false);
  // Whoever disables the account of the session is let in nowhere any more.
  const isOwn = account._id === start().account.id;
  const { change, wrong } = changeOf(account, typed);
  const changed = Object.keys(change) as (keyof typeof change)[];
  const set = (part: Partial<Typed>) => {
    draft.change({ typed: { ...typed, ...part } });
    setRefused(undefined);
  };
  const theirs = typedOf(account);
  const problemOf = (name: FieldName) => {
    if (wrong.some((field) => field === name)) return text.notNumber;
    if (refused?.at === name) return refused.text;
    return both.includes(name) && theirs[name] !== typed[name].trim() ? text.theirs(theirs[name]) : undefined;
  };
  const send = async () => {
    setBusy(true);
    try {
      await changeAccount(account, change);
      toast(text.changed(account.accountName));
      draft.drop();
      onDone();
    } catch (error) {
      const now = error instanceof Overtaken ? (error.theirs as AnyAccount | undefined) : undefined;
      if (now) {
        const next = over(account, typed, now);
        draft.change({ base: now, typed: next.typed });
        setBoth(next.both);
        setRefused({ text: text.overtaken, at: undefined });
        onDone();
      } else {
        const at = attributeOf(error);
        setRefused({ text: at === undefined ? errorText(error) : textAtField(errorText(error)), at });
      }
      setBusy(false);
    }
  };
  const isAtField = refused?.at !== undefined && Object.hasOwn(typed, refused.at);
  return (
    <FormDialog
      title={text.changeOf(account.accountName)}
      class="operator-form"
      problem={refused && !isAtField ? refused.text : ''}
      isBusy={isBusy}
      isDisabled={wrong.length > 0 || changed.length === 0}
      main={text.apply}
      look={change.status === 'DISABLED' ? 'danger' : 'main'}
      onCancel={draft.drop}
      onSend={send}
      onClose={draft.close}
    >
      <Row label={text.fields.accountName} problem={problemOf('accountName')}>
        {(control) => (
          <input
            {...control}
            autofocus
            dir="auto"
            autocomplete="off"
            value={typed.accountName}
            onInput={(event) => set({ accountName: event.currentTarget.value })}
          />
        )}
      </Row>
      <Row label={text.fields.accountType} problem={problemOf('accountType')}>
        {(control) => (
          <select {...control} onChange={(event) => set({ accountType: event.currentTarget.value })}>
            {TYPES.map((type) => (
              <option key={type} value={type} selected={type === typed.accountType}>
                {type}
              </option>
            ))}
          </select>
        )}
      </Row>
      <Row label={text.fields.status} {...(isOwn && { hint: text.ownAccount })} problem={problemOf('status')}>
        {(control) => (
          <select {...control} disabled={isOwn} onChange={(event) => set({ status: event.currentTarget.value })}>
            {(['ACTIVE', 'DISABLED'] as const).map((status) => (
              <option key={status} value={status} selected={status === typed.status}>
                {text.statuses[status]}
              </option>
            ))}
          </select>
        )}
      </Row>
      {NUMBERS.map((name) => (
        <Row
          key={name}
          label={text.fields[name]}
          hint={name === 'sourceLimit' || name === 'smsLimit' ? text.emptyNone : text.emptyUsual}
          problem={problemOf(name)}
        >
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autocomplete="off"
              value={typed[name]}
              onInput={(event) => set({ [name]: event.currentTarget.value })}
            />
          )}
        </Row>
      ))}
      <section class="operator-follows" aria-live="polite" aria-label={text.follows}>
        {changed.length === 0 ? (
          <p class="soft">{text.nothing}</p>
        ) : (
          <>
            <h3>{text.follows}</h3>
            <ul>
              {changed.map((name) => (
                <li key={name}>{name === 'status' ? text.followsOf[change.status!] : text.followsOf[name]}</li>
              ))}
            </ul>
          </>
        )}
      </section>
    </FormDialog>
  );
}

type Control = { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
type RowProps = {
  readonly label: string;
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly children: (control: Control) => preact.ComponentChildren;
};

function Row({ label, hint, problem, children }: RowProps) {
  const id = useId();
  return (
    <div class="operator-row">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-problem ${id}-hint`, 'aria-invalid': problem !== undefined })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="problem" id={`${id}-problem`} role={problem === undefined ? undefined : 'alert'}>
        {problem}
      </p>
    </div>
  );
}
