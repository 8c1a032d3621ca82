import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { oneByOne } from './one-by-one.ts';

/** A part is drawn this many pixels before it is scrolled to. */
const AHEAD = 300;
/**
 * The parts further down are drawn too after this time, so that the whole page can be printed. The first seconds belong to what is seen, on
 * slow processors too.
 */
const IDLE_MS = 8_000;

/** Returns whether an element is, or soon will be, on the screen; true for good once the browser has had time for what is not. */
export function useSeen(of: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = of.current;
    if (!element || isSeen) return;
    const see = () => setSeen(true);
    let takeBack = () => {};
    const seeInTurn = () => {
      takeBack();
      takeBack = oneByOne(see);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) seeInTurn();
      },
      { rootMargin: `${AHEAD}px` },
    );
    observer.observe(element);
    const timer = setTimeout(() => whenIdle(seeInTurn), IDLE_MS);
    window.addEventListener('beforeprint', see);
    return () => {
      takeBack();
      observer.disconnect();
      clearTimeout(timer);
      window.removeEventListener('beforeprint', see);
    };
  }, [of, isSeen]);
  return isSeen;
}

/** Waits for idle time, which not every browser reports. */
function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then);
  else setTimeout(then);
}
