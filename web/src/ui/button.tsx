import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'onClick' | 'icon'> & {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  readonly look?: 'main' | 'quiet' | 'danger' | 'bare';
  /** A click that takes time shows it, and takes no second one meanwhile. */
  readonly onClick?: (event: MouseEvent) => unknown;
  readonly isBusy?: boolean;
};

/** A button. What `onClick` promises is waited for; what it fails with is its own to show. */
export function Button({
  children,
  icon,
  look = 'quiet',
  onClick,
  isBusy = false,
  class: more = '',
  ...rest
}: ButtonProps) {
  const [isRunning, setRunning] = useState(false);
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const busy = isBusy || isRunning;
  const click = async (event: MouseEvent) => {
    if (busy) {
      event.preventDefault();
      return;
    }
    const work = onClick?.(event);
    if (!(work instanceof Promise)) return;
    setRunning(true);
    await work.catch(() => {}).finally(() => isThere.current && setRunning(false));
  };
  return (
    <button
      type="button"
      {...rest}
      class={`button is-${look} ${busy ? 'is-busy' : ''} ${children === undefined ? 'is-sign' : ''} ${String(more)}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest.disabled || undefined}
      onClick={click}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
