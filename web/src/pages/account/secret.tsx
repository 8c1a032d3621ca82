import { changeSecret, type Webhook } from '../../data/account/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Once } from '../../ui/once.tsx';
import { Ask } from './ask.tsx';
import { say } from './words.ts';

/** Shows it this once: it stays until somebody says that it is put away. */
export function Secret({ value, onClose }: { readonly value: string; readonly onClose: () => void }) {
  const text = say().webhooks;
  return (
    <Dialog title={text.secretShown}>
      <p>{text.secretOnce}</p>
      <Once value={value} label={text.copy} copied={text.copied} failed={text.copyFailed} />
      <p class="buttons">
        <Button look="main" onClick={onClose}>
          {text.done}
        </Button>
      </p>
    </Dialog>
  );
}

type NewSecretProps = {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
  readonly onChange: () => void;
};

export function NewSecret({ webhook, onClose, onSecret, onChange }: NewSecretProps) {
  const text = say().webhooks;
  return (
    <Ask
      title={text.secretTitle(webhook.name)}
      look="main"
      main={text.secretIt}
      onClose={onClose}
      run={async () => {
        onSecret((await changeSecret(webhook._id)).secret);
        onChange();
      }}
    >
      <p>{text.secretText}</p>
    </Ask>
  );
}
