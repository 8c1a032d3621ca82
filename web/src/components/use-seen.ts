import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { oneByOne } from './one-by-one.ts';

/** What is drawn before it is scrolled to, in pixels. */
const AHEAD = 300;
/**
 * After it, what is further down is drawn too, so that the whole page can be printed. The first seconds belong to what is seen, on slow
 * processors too.
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

/** Not every browser reports idle times. */
function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then);
  else setTimeout(then);
}
