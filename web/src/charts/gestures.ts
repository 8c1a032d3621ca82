import { panned, type Window, zoomed } from './chart-window.ts';

export type GestureParts = {
  readonly over: HTMLElement;
  /** This element takes the focus; wheels turn the page until it has it. */
  readonly focus: HTMLElement;
  readonly window: () => Window | undefined;
  readonly instantAt: (left: number) => number;
  readonly show: (window: Window) => void;
};

/**
 * Moves and zooms by hand: fingers pan and pinch, Shift and the mouse pan, a wheel zooms with Ctrl (which is what a pinch on a touchpad
 * sends) or while the chart has the focus, and pans where it turns sideways. The page still scrolls over charts.
 */
export function listenToGestures({ over, focus, window, instantAt, show }: GestureParts): () => void {
  const fingers = new Map<number, number>();
  const stop = new AbortController();
  const { signal } = stop;
  const leftOf = (event: MouseEvent) => event.clientX - over.getBoundingClientRect().left;
  const move = (by: (from: Window) => Window) => {
    const from = window();
    if (from !== undefined) show(by(from));
  };

  over.addEventListener(
    'wheel',
    (event) => {
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      const zooms = event.ctrlKey || event.metaKey || focus.matches(':focus-within');
      if (!isSideways && !zooms) return;
      event.preventDefault();
      const turned = isSideways ? event.deltaX || event.deltaY : event.deltaY;
      if (isSideways) move((from) => panned(from, turned / over.clientWidth));
      else
        move((from) => zoomed(from, Math.exp(Math.min(Math.max(turned, -100), 100) / 250), instantAt(leftOf(event))));
    },
    { passive: false, signal },
  );
  over.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType === 'mouse' && !(event.shiftKey && event.button === 0)) return;
      fingers.set(event.pointerId, leftOf(event));
      over.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  over.addEventListener(
    'pointermove',
    (event) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const left = leftOf(event);
      const [other] = [...fingers].flatMap(([id, at]) => (id === event.pointerId ? [] : [at]));
      fingers.set(event.pointerId, left);
      if (other === undefined) {
        move((from) => panned(from, (before - left) / over.clientWidth));
        return;
      }
      const [was, is] = [Math.abs(before - other), Math.abs(left - other)];
      if (was > 10 && is > 10) move((from) => zoomed(from, was / is, instantAt((left + other) / 2)));
    },
    { signal },
  );
  for (const name of ['pointerup', 'pointercancel'] as const)
    over.addEventListener(name, (event) => fingers.delete(event.pointerId), { signal });
  return () => stop.abort();
}
