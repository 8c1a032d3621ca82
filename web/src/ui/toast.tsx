import { signal } from '@preact/signals';

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
  shown.value = shown.value.filter((one) => one.id !== id);
};

/** A short word about what was done, with a way to take it back where there is one. */
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}): void {
  last += 1;
  const id = last;
  shown.value = [...shown.value, { id, text, ...options }].slice(-MOST);
  setTimeout(() => drop(id), STAYS_MS);
}

/** Where they stand: once on a page. */
export function Toasts({ closeText }: { readonly closeText: string }) {
  return (
    <div class="toasts" role="status">
      {shown.value.map(({ id, text, isBad, action }) => (
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
          <button type="button" class="button is-bare is-sign" aria-label={closeText} onClick={() => drop(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
