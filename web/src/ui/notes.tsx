import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

/** A note for which nobody waits this long is not shown. */
const SHOWN_AFTER_MS = 300;

/** Shows that something is being waited for: nothing for a moment, then a bar and words. */
export function Busy({
  text,
  onLeave,
  leaveText,
}: {
  readonly text: string;
  readonly onLeave?: () => void;
  readonly leaveText?: string;
}) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="busy" role="status">
      {isShown && (
        <>
          <span class="busy-bar" />
          <span>{text}</span>
          {onLeave && (
            <button type="button" class="button is-bare" onClick={onLeave}>
              {leaveText}
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** Shows a place where nothing is yet: what it is for, and what to do. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  isPage = false,
}: {
  readonly icon?: IconName | undefined;
  readonly title: string;
  /** It is all that the page has. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}) {
  return (
    <div class="empty-state">
      {icon && <Icon name={icon} />}
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children !== undefined && <div class="empty-text">{children}</div>}
      {action}
    </div>
  );
}

/** Shows a failure in words, and a way to try again. */
export function Problem({
  text,
  again,
  againText,
}: {
  readonly text: string;
  readonly again?: (() => void) | undefined;
  readonly againText?: string;
}) {
  return (
    <div class="problem-note" role="alert">
      <Icon name="warning" />
      <span>{text}</span>
      {again && (
        <button type="button" class="button is-quiet" onClick={again}>
          {againText}
        </button>
      )}
    </div>
  );
}
