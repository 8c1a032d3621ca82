import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Toasts, toastsIn } from './toast.tsx';

type DialogProps = {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Escape, the cross, or a click outside closes it; absent: it stays until it is answered. */
  readonly onClose?: (() => void) | undefined;
  readonly closeText?: string;
  readonly class?: string;
  /** The title is for screen readers only. */
  readonly hidesTitle?: boolean;
};

/** Shows a modal dialog, open for as long as it is rendered. The focus comes back to where it was. */
export function Dialog({ title, children, onClose, closeText, class: more = '', hidesTitle = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    const end = toastsIn(ref);
    return () => {
      end();
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // The element that had the focus may have given way to something else, such as a form to what it has made.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    const room = ref.current!.querySelector('.dialog-head ~ *') ?? ref.current!;
    room.querySelector<HTMLElement>('[autofocus], button, input, select, textarea, a[href]')?.focus();
  });
  return (
    <dialog
      ref={ref}
      class={`dialog ${more}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose?.();
      }}
    >
      <div class="dialog-room">
        <header class={hidesTitle ? 'unseen' : 'dialog-head'}>
          <h2 id={heading}>{title}</h2>
          {onClose && closeText !== undefined && !hidesTitle && (
            <button type="button" class="button is-bare is-sign" aria-label={closeText} onClick={onClose}>
              ×
            </button>
          )}
        </header>
        {children}
      </div>
      <Toasts dialog={ref} />
    </dialog>
  );
}
