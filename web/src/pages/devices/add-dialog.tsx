import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { deviceAddress } from '../../data/addresses.ts';
import { newKey } from '../../data/client.ts';
import { createDevice, type Device } from '../../data/devices.ts';
import { attributeOf, isRefusal } from '../../data/failures.ts';
import { start } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Once } from '../../ui/once.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Choices, Field } from './field.tsx';
import { isImei } from './rows.ts';
import { TakeDialog } from './take-dialog.tsx';
import { mayIn, type Workspace } from './use-workspaces.ts';
import { say } from './words.ts';

type AddProps = {
  readonly workspaces: readonly Workspace[];
  readonly onAdded: () => void;
  readonly onClose: () => void;
};
type Problems = Readonly<Partial<Record<'deviceKey' | 'workspaceId' | 'secret' | 'phoneNumber' | 'other', string>>>;
const FIELDS = ['deviceKey', 'workspaceId', 'secret', 'phoneNumber'] as const;

/** A device is registered: by its IMEI, or with a number that is made for it. */
export function AddDialog({ workspaces, onAdded, onClose }: AddProps) {
  const text = say();
  const { ui } = words.value;
  const { route } = useLocation();
  const own = workspaces.filter(({ _id }) => mayIn('CONFIGURE', workspaces, _id));
  const [kind, setKind] = useState<'ScoutDevice' | 'Device'>('ScoutDevice');
  const [how, setHow] = useState<'made' | 'imei'>('imei');
  const [imei, setImei] = useState('');
  const [workspaceId, setWorkspace] = useState(own.length === 1 ? own[0]!._id : '');
  const [secretKind, setSecretKind] = useState<'made' | 'own' | 'none'>('made');
  const [secret, setSecret] = useState('');
  const [phone, setPhone] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<Device>();
  const [isTaking, setTaking] = useState(false);
  const [key, setKey] = useState(newKey);

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
      setMade(device);
      onAdded();
    } catch (error) {
      const at = FIELDS.find((one) => attributeOf(error)?.startsWith(one));
      setProblems({ [at ?? 'other']: errorText(error) });
      // Another try asks for something else.
      if (isRefusal(error)) setKey(newKey());
    } finally {
      setBusy(false);
    }
  };

  if (made && isTaking)
    return (
      <TakeDialog
        device={made}
        onTaken={() => route(deviceAddress(made._id))}
        onClose={() => {
          onClose();
          route(deviceAddress(made._id));
        }}
      />
    );
  if (made)
    return (
      // It stays until somebody says that the secret is put away.
      <Dialog title={text.added(made.deviceKey)}>
        <div class="form">
          <p>{text.keyOnce}</p>
          <Once value={made.deviceKey} label={text.copy} copied={text.copied} failed={text.copyFailed} />
          {secretKind === 'made' && made.secret !== undefined && (
            <>
              <p>{text.secretOnce}</p>
              <Once value={made.secret} label={text.copy} copied={text.copied} failed={text.copyFailed} />
            </>
          )}
          <p class="buttons">
            <Button look="main" onClick={() => setTaking(true)}>
              {text.takeNow}
            </Button>
            <Button
              onClick={() => {
                onClose();
                route(deviceAddress(made._id));
              }}
            >
              {text.later}
            </Button>
          </p>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={text.addTitle} onClose={isBusy ? undefined : onClose} closeText={ui.close}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Field label={text.kind}>
          {(control) => (
            <select {...control} value={kind} onChange={(event) => setKind(event.currentTarget.value as typeof kind)}>
              <option value="ScoutDevice">{text.kinds.ScoutDevice}</option>
              <option value="Device">{text.kinds.Device}</option>
            </select>
          )}
        </Field>
        <div>
          <p class="device-label">{text.number}</p>
          <Choices
            label={text.number}
            value={how}
            options={[
              ['imei', text.numberImei],
              ['made', text.numberMade],
            ]}
            onChange={(next) => {
              setHow(next);
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
                  onInput={(event) => setImei(event.currentTarget.value)}
                />
              )}
            </Field>
          )}
        </div>
        <Field
          label={text.workspace}
          problem={problems.workspaceId ?? (own.length === 0 ? text.noWorkspaces : undefined)}
        >
          {(control) => (
            <select {...control} value={workspaceId} onChange={(event) => setWorkspace(event.currentTarget.value)}>
              <option value="">{text.chooseWorkspace}</option>
              {own.map(({ _id, name }) => (
                <option key={_id} value={_id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div>
          <p class="device-label">{text.secret}</p>
          <Choices
            label={text.secret}
            value={secretKind}
            options={[
              ['made', text.secrets.made],
              ['own', text.secrets.own],
              ['none', text.secrets.none],
            ]}
            onChange={setSecretKind}
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
              onInput={(event) => setPhone(event.currentTarget.value)}
            />
          )}
        </Field>
        <DialogAnswers
          {...{ problem: problems.other ?? '', isBusy, main: text.add, cancel: ui.cancel, onCancel: onClose }}
        />
      </form>
    </Dialog>
  );
}
