const TAKES_FOCUS = 'a[href], button:not(:disabled), [tabindex="0"]';

const firstIn = (node: Node | null): HTMLElement | null => {
  if (!(node instanceof HTMLElement) || !node.isConnected) return null;
  return node.matches(TAKES_FOCUS) ? node : node.querySelector<HTMLElement>(TAKES_FOCUS);
};

/**
 * Gives the focus to the line beside an element that is taken away, such as a line of a list or a whole page, or to the room around it:
 * otherwise nothing would have it, and a screen reader would begin with the frame again.
 */
export function keepFocus(): void {
  let last: Element | undefined;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : undefined;
  });
  const look = (records: readonly MutationRecord[]) => {
    const gone = last;
    if (!gone || gone.isConnected || document.activeElement !== document.body) return;
    last = undefined;
    const place = records.findLast(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
    const room = place?.target instanceof HTMLElement && place.target.isConnected ? place.target : undefined;
    const beside = room?.matches('ul, ol') ? (firstIn(place!.nextSibling) ?? firstIn(place!.previousSibling)) : null;
    const around = firstIn(room?.closest('dialog') ?? null) ?? room?.closest<HTMLElement>('[tabindex]');
    (beside ?? around ?? document.getElementById('main'))?.focus({ preventScroll: true });
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}
