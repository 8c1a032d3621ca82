import { useState } from 'preact/hooks';
import { type Device, readDevice, updateDevice } from '../../data/devices.ts';
import { attributeOf } from '../../data/failures.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Choices, Field } from './field.tsx';
import { say } from './words.ts';

type Problems = Readonly<Partial<Record<'phoneNumber' | 'secret' | 'other', string>>>;

/** The phone number of a device and its secret. */
export function EditDialog({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  const text = say();
  const { ui } = words.value;
  const [base, setBase] = useState(device.phoneNumber ?? '');
  const [phone, setPhone] = useState(base);
  const [secretKind, setSecretKind] = useState<'keep' | 'own' | 'none'>('keep');
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
        setBase(now);
        return setProblems({ phoneNumber: `${text.changedMeanwhile} ${now}` });
      }
      const wanted = phone.trim().replace(/[\s()/-]/g, '');
      await updateDevice(device._id, {
        ...(wanted !== base && { phoneNumber: wanted === '' ? null : wanted }),
        ...(secretKind === 'own' && { secret }),
        ...(secretKind === 'none' && { secret: null }),
      });
      toast(text.edited);
      onClose();
    } catch (error) {
      const at = attributeOf(error) ?? '';
      setProblems({ [at === 'phoneNumber' || at === 'secret' ? at : 'other']: errorText(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.editTitle(device.deviceKey)} onClose={isBusy ? undefined : onClose} closeText={ui.close}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
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
              onInput={(event) => setPhone(event.currentTarget.value)}
            />
          )}
        </Field>
        <div>
          <p class="device-label">{text.secret}</p>
          <Choices
            label={text.secret}
            value={secretKind}
            options={[
              ['keep', text.secretChange.keep],
              ['own', text.secretChange.own],
              ['none', text.secretChange.none],
            ]}
            onChange={setSecretKind}
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
        <DialogAnswers
          {...{ problem: problems.other ?? '', isBusy, main: ui.save, cancel: ui.cancel, onCancel: onClose }}
        />
      </form>
    </Dialog>
  );
}
