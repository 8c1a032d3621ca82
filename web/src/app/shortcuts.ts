import { alarmsAddress, dashboardsAddress, eventsAddress, overviewAddress, reportsAddress } from '../data/addresses.ts';
import { isHelpOpen } from './help.tsx';
import { isPaletteOpen } from './palette.tsx';

/** The second key has to come within this time after `g`. */
const SECOND_KEY_MS = 1_200;

/** Keys are letters where somebody types, within an editor too. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
  target.getAttribute('type') !== 'checkbox';

/** Listens for keys that do something on every page; those of a page are its own. @returns what ends them */
export function listenForShortcuts(route: (url: string) => void): () => void {
  let gMs = Number.NEGATIVE_INFINITY;
  const second: Readonly<Record<string, () => void>> = {
    o: () => route(overviewAddress()),
    a: () => route(alarmsAddress()),
    e: () => route(eventsAddress()),
    d: () => route(dashboardsAddress()),
    r: () => route(reportsAddress()),
    t: () => document.querySelector<HTMLElement>('[role=treegrid]')?.focus(),
  };
  const first: Readonly<Record<string, () => void>> = {
    '?': () => {
      isHelpOpen.value = true;
    },
    '/': () => {
      isPaletteOpen.value = true;
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if ((event.metaKey || event.ctrlKey) && !event.altKey && key.toLowerCase() === 'k') {
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.composedPath()[0] ?? null) || document.querySelector('dialog[open]')) return;
    const isSecond = event.timeStamp - gMs < SECOND_KEY_MS;
    gMs = key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const run = isSecond ? second[key] : first[key];
    if (run === undefined) return;
    event.preventDefault();
    // A page has keys of its own: the second one is not for it.
    event.stopPropagation();
    run();
  };
  addEventListener('keydown', onKeyDown, { capture: true });
  return () => removeEventListener('keydown', onKeyDown, { capture: true });
}
