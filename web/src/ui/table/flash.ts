/** Two names of one animation: it begins anew with the other one, and the browser need not lay the page out in between. */
const NAMES = ['is-new', 'is-newer'] as const;

/** Marks an element whose row has changed; each change flashes once. */
export function flash(element: HTMLElement | null, isNew: boolean): void {
  if (element === null) return;
  const [first, second] = NAMES;
  const next = element.classList.contains(first) ? second : first;
  element.classList.remove(...NAMES);
  if (isNew && !matchMedia('(prefers-reduced-motion: reduce)').matches) element.classList.add(next);
}
