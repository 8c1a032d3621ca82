import type { ComponentProps } from 'preact';
import { useEffect } from 'preact/hooks';
import { EmptyState } from '../ui/notes.tsx';

/** The title of the window says where the person is, also in the history and among tabs. @param title undefined: not known yet */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Catchment`;
  }, [title]);
}

/** Shows a page that has nothing else to show: that a thing is gone, or not to be changed. */
export function PageNote(props: Omit<ComponentProps<typeof EmptyState>, 'isPage'>) {
  usePageTitle(props.title);
  return <EmptyState {...props} isPage />;
}
