import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

export type Toast = {
  readonly id: number;
  readonly text: string;
  readonly isBad?: boolean;
  /** Such as undo. */
  readonly action?: { readonly label: string; readonly run: () => unknown };
};

const shown = signal<readonly Toast[]>([]);
const STAYS_MS = 8_000;
const MOST = 3;
let last = 0;

const drop = (id: number): void => {
  shown.value = shown.value.filter((message) => message.id !== id);
};

/** Says a short word about what was done, with a way to take it back where there is one. */
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}): void {
  last += 1;
  const id = last;
  shown.value = [...shown.value, { id, text, ...options }].slice(-MOST);
  setTimeout(() => drop(id), STAYS_MS);
}

/** These modal dialogs are open, the last one over the others. */
const dialogs = signal<readonly object[]>([]);
/** A dialog opens: toasts stand in it, for nothing behind it can be reached. @returns what ends that */
export function toastsIn(dialog: object): () => void {
  dialogs.value = [...dialogs.peek(), dialog];
  return () => {
    dialogs.value = dialogs.peek().filter((other) => other !== dialog);
  };
}

const closing = signal('');

type ToastsProps = {
  /** The page says it, for all. */
  readonly closeText?: string;
  /** Toasts stand in this dialog; absent: on the page, once. */
  readonly dialog?: object;
};

/** Shows toasts on the page, and over it in the dialog that is open. */
export function Toasts({ closeText, dialog }: ToastsProps) {
  useLayoutEffect(() => {
    if (closeText !== undefined) closing.value = closeText;
  }, [closeText]);
  const here = dialogs.value.at(-1) === dialog ? shown.value : [];
  return (
    <div class="toasts" role="status">
      {here.map(({ id, text, isBad, action }) => (
        <p key={id} class={isBad ? 'toast is-bad' : 'toast'}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="button is-bare"
              onClick={() => {
                drop(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            class="button is-bare is-sign"
            aria-label={closeText ?? closing.value}
            onClick={() => drop(id)}
          >
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
