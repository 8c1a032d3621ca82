import { useState } from 'preact/hooks';
import { attributeOf } from '../../data/requests/failures.ts';
import { type Device, readDevice, updateDevice } from '../../data/sources/devices.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import type { Draft } from '../../parts/typed-draft.ts';
import { Field } from '../../ui/labelled-field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText, textAtField } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

type Problems = Readonly<Partial<Record<'phoneNumber' | 'secret' | 'other', string>>>;

/** Attributes of a device are typed, and this phone number was there. The secret itself is not kept. */
export type EditTyped = {
  readonly base: string;
  readonly phone: string;
  readonly secretKind: 'keep' | 'own' | 'none';
};
export const typedOf = ({ phoneNumber = '' }: Device): EditTyped => ({
  base: phoneNumber,
  phone: phoneNumber,
  secretKind: 'keep',
});

type EditProps = { readonly device: Device; readonly draft: Draft<EditTyped>; readonly onDone: () => void };

/** Edits the phone number of a device and its secret. */
export function EditDialog({ device, draft, onDone }: EditProps) {
  const text = say();
  const { ui } = words.value;
  const { base, phone, secretKind } = draft.values;
  const [secret, setSecret] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblems({});
    try {
      const now = (await readDevice(device._id)).phoneNumber ?? '';
      if (now !== base) {
        draft.change({ base: now });
        return setProblems({ phoneNumber: `${text.changedMeanwhile} ${now}` });
      }
      const wanted = phone.trim().replace(/[\s()/-]/g, '');
      await updateDevice(device._id, {
        ...(wanted !== base && { phoneNumber: wanted === '' ? null : wanted }),
        ...(secretKind === 'own' && { secret }),
        ...(secretKind === 'none' && { secret: null }),
      });
      draft.drop();
      toast(text.edited);
      onDone();
    } catch (error) {
      const at = attributeOf(error) ?? '';
      const isAtField = at === 'phoneNumber' || at === 'secret';
      setProblems({ [isAtField ? at : 'other']: isAtField ? textAtField(errorText(error)) : errorText(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={text.editTitle(device.deviceKey)}
      problem={problems.other ?? ''}
      isBusy={isBusy}
      main={ui.save}
      onCancel={draft.drop}
      onSend={send}
      onClose={draft.close}
    >
      <Field label={text.phone} hint={text.phoneHint} problem={problems.phoneNumber}>
        {(control) => (
          <input
            {...control}
            autofocus
            type="tel"
            autocomplete="off"
            maxLength={40}
            value={phone}
            onInput={(event) => draft.change({ phone: event.currentTarget.value })}
          />
        )}
      </Field>
      <div>
        <p class="device-label">{text.secret}</p>
        <Switch
          class="device-choice"
          label={text.secret}
          value={secretKind}
          options={[
            ['keep', text.secretChange.keep],
            ['own', text.secretChange.own],
            ['none', text.secretChange.none],
          ]}
          onChange={(next) => draft.change({ secretKind: next })}
        />
        {secretKind === 'own' && (
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
        )}
        {secretKind !== 'keep' && <p class="hint">{text.secretChange.hint}</p>}
        {secretKind === 'none' && device.deviceKey.length === 15 && <p class="hint">{text.imeiNobody}</p>}
      </div>
    </FormDialog>
  );
}
