import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { deviceAddress } from '../../data/addresses.ts';
import { newKey } from '../../data/requests/client.ts';
import { attributeOf, isRefusal } from '../../data/requests/failures.ts';
import { start } from '../../data/session/session.ts';
import { createDevice, type Device } from '../../data/sources/devices.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import type { Draft } from '../../parts/typed-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/labelled-field.tsx';
import { Once } from '../../ui/once.tsx';
import { Switch } from '../../ui/switch.tsx';
import { errorText, textAtField } from '../../words/error-text.ts';
import { isImei } from './rows.ts';
import { TakeDialog } from './take-dialog.tsx';
import { mayIn, type Workspace } from './use-workspaces.ts';
import { say } from './words.ts';

/** With `key` the same device is registered once, however often it is asked for. The secret itself is not kept. */
export type AddTyped = {
  readonly kind: 'ScoutDevice' | 'Device';
  readonly how: 'made' | 'imei';
  readonly imei: string;
  readonly workspaceId: string;
  readonly secretKind: 'made' | 'own' | 'none';
  readonly phone: string;
  readonly key: string;
};
export const newTyped = (): AddTyped => ({
  kind: 'ScoutDevice',
  how: 'imei',
  imei: '',
  workspaceId: '',
  secretKind: 'made',
  phone: '',
  key: newKey(),
});

type AddProps = {
  readonly draft: Draft<AddTyped>;
  readonly workspaces: readonly Workspace[];
  readonly onAdded: (device: Device) => void;
};
type Problems = Readonly<Partial<Record<'deviceKey' | 'workspaceId' | 'secret' | 'phoneNumber' | 'other', string>>>;
const FIELDS = ['deviceKey', 'workspaceId', 'secret', 'phoneNumber'] as const;

/** A device is registered: by its IMEI, or with a number that is made for it. */
export function AddDialog({ draft, workspaces, onAdded }: AddProps) {
  const text = say();
  const writable = workspaces.filter(({ _id }) => mayIn('CONFIGURE', workspaces, _id));
  const { kind, how, imei, secretKind, phone, key } = draft.values;
  const workspaceId = draft.values.workspaceId || (writable.length === 1 ? writable[0]!._id : '');
  const [secret, setSecret] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);

  const digits = imei.replace(/[\s-]/g, '');
  const send = async () => {
    if (isBusy) return;
    if (how === 'imei' && digits.length !== 15) return setProblems({ deviceKey: text.imeiShort(digits.length) });
    if (workspaceId === '') return setProblems({ workspaceId: text.workspaceMissing });
    setBusy(true);
    setProblems({});
    try {
      const device = await createDevice(
        {
          _class: `${start().classNamespace}.models.device.${kind}`,
          workspaceId,
          ...(how === 'imei' && { deviceKey: digits }),
          ...(phone.trim() !== '' && { phoneNumber: phone.trim().replace(/[\s()/-]/g, '') }),
          ...(secretKind === 'own' && { secret }),
          ...(secretKind === 'none' && { secret: null }),
        },
        key,
      );
      draft.drop();
      const { secret: _masked, ...shown } = device;
      onAdded(secretKind === 'made' ? device : shown);
    } catch (error) {
      const at = FIELDS.find((field) => attributeOf(error)?.startsWith(field));
      setProblems({ [at ?? 'other']: at ? textAtField(errorText(error)) : errorText(error) });
      // Another try asks for something else.
      if (isRefusal(error)) draft.change({ key: newKey() });
      setBusy(false);
    }
  };

  return (
    <FormDialog
      title={text.addTitle}
      problem={problems.other ?? ''}
      isBusy={isBusy}
      main={text.add}
      onCancel={draft.drop}
      onSend={send}
      onClose={draft.close}
    >
      <Field label={text.kind}>
        {(control) => (
          <select
            {...control}
            value={kind}
            onChange={(event) => draft.change({ kind: event.currentTarget.value as typeof kind })}
          >
            <option value="ScoutDevice">{text.kinds.ScoutDevice}</option>
            <option value="Device">{text.kinds.Device}</option>
          </select>
        )}
      </Field>
      <div>
        <p class="device-label">{text.number}</p>
        <Switch
          class="device-choice"
          label={text.number}
          value={how}
          options={[
            ['imei', text.numberImei],
            ['made', text.numberMade],
          ]}
          onChange={(next) => {
            draft.change({ how: next });
            setProblems({});
          }}
        />
        {how === 'made' ? (
          <p class="hint">{text.numberMadeHint}</p>
        ) : (
          <Field
            label={text.numberImei}
            hint={
              digits.length === 15 && !isImei(digits)
                ? text.imeiCheck
                : secretKind === 'none'
                  ? text.imeiNobody
                  : text.numberImeiHint
            }
            problem={problems.deviceKey}
          >
            {(control) => (
              <input
                {...control}
                autofocus
                inputMode="numeric"
                autocomplete="off"
                spellcheck={false}
                maxLength={40}
                value={imei}
                onInput={(event) => draft.change({ imei: event.currentTarget.value })}
              />
            )}
          </Field>
        )}
      </div>
      <Field
        label={text.workspace}
        problem={problems.workspaceId ?? (writable.length === 0 ? text.noWorkspaces : undefined)}
      >
        {(control) => (
          <select
            {...control}
            value={workspaceId}
            onChange={(event) => draft.change({ workspaceId: event.currentTarget.value })}
          >
            <option value="">{text.chooseWorkspace}</option>
            {writable.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div>
        <p class="device-label">{text.secret}</p>
        <Switch
          class="device-choice"
          label={text.secret}
          value={secretKind}
          options={[
            ['made', text.secrets.made],
            ['own', text.secrets.own],
            ['none', text.secrets.none],
          ]}
          onChange={(next) => draft.change({ secretKind: next })}
        />
        {secretKind === 'own' ? (
          <Field label={text.secrets.own} hint={text.secretChange.own8} problem={problems.secret}>
            {(control) => (
              <input
                {...control}
                type="password"
                autocomplete="new-password"
                maxLength={128}
                value={secret}
                onInput={(event) => setSecret(event.currentTarget.value)}
              />
            )}
          </Field>
        ) : (
          <p class="hint">{text.secretHint}</p>
        )}
      </div>
      <Field label={text.phone} hint={text.phoneHint} problem={problems.phoneNumber}>
        {(control) => (
          <input
            {...control}
            type="tel"
            autocomplete="off"
            maxLength={40}
            value={phone}
            onInput={(event) => draft.change({ phone: event.currentTarget.value })}
          />
        )}
      </Field>
    </FormDialog>
  );
}

type MadeProps = { readonly made: Device; readonly onClose: () => void };

/** Shows what has been made, with what is shown this once, and what comes next. */
export function AddedDialog({ made, onClose }: MadeProps) {
  const text = say();
  const { route } = useLocation();
  const [isTaking, setTaking] = useState(false);
  const leave = () => {
    onClose();
    route(deviceAddress(made._id));
  };
  if (isTaking) return <TakeDialog device={made} onTaken={() => {}} onClose={leave} />;
  return (
    // It stays until somebody says that the secret is put away.
    <Dialog title={text.added(made.deviceKey)}>
      <div class="form">
        <p>{text.keyOnce}</p>
        <Once value={made.deviceKey} label={text.copy} copied={text.copied} failed={text.copyFailed} />
        {made.secret !== undefined && (
          <>
            <p>{text.secretOnce}</p>
            <Once value={made.secret} label={text.copy} copied={text.copied} failed={text.copyFailed} />
          </>
        )}
        <p class="buttons">
          <Button look="main" onClick={() => setTaking(true)}>
            {text.takeNow}
          </Button>
          <Button onClick={leave}>{text.later}</Button>
        </p>
      </div>
    </Dialog>
  );
}
