import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageState } from '../live/page-state.ts';

export const PageContext = createContext<PageState | undefined>(undefined);

export function usePage(): PageState {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('a tile is shown outside of a page');
  return page;
}
