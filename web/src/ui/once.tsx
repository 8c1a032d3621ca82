import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

type OnceProps = { readonly value: string; readonly label: string; readonly copied: string; readonly failed: string };

/** Shows a value this once, with a button that copies it. */
export function Once({ value, label, copied, failed }: OnceProps) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setSaid(copied);
    } catch {
      setSaid(failed);
    }
  };
  return (
    <div class="once">
      <code dir="ltr">{value}</code>
      <Button icon="copy" onClick={copy}>
        {label}
      </Button>
      <span role="status">{said}</span>
    </div>
  );
}
