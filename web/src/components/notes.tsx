import { Icon } from '../ui/icon.tsx';

/** Stands in place of what a broken link led to. */
export function Broken({ what }: { readonly what: string }) {
  return (
    <p class="broken">
      <Icon name="warning" />
      <span>{`The ${what} of this tile is not there any more.`}</span>
    </p>
  );
}

/** Stands in place of what could not be loaded. */
export function Failed({ what, again }: { readonly what: string; readonly again: () => void }) {
  return (
    <p class="broken">
      <Icon name="warning" />
      <span>{`The ${what} could not be loaded.`}</span>{' '}
      <button type="button" class="quiet" onClick={again}>
        Try again
      </button>
    </p>
  );
}

/** Stands beside what was loaded before and could not be loaded anew, which stays. */
export function Outdated({ what, again }: { readonly what: string; readonly again: () => void }) {
  return (
    <p class="outdated">
      <Icon name="warning" />
      <span>{`The ${what} is as it was: news could not be loaded.`}</span>{' '}
      <button type="button" class="quiet" onClick={again}>
        Try again
      </button>
    </p>
  );
}

export function Empty({ children }: { readonly children: string }) {
  return <p class="empty">{children}</p>;
}
