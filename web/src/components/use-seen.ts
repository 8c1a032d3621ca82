import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What is drawn before it is scrolled to, in pixels. */
const AHEAD = 300;
/** After it, what is further down is drawn too, so that the whole page can be printed. */
const IDLE_MS = 4_000;

/** Whether an element is, or soon will be, on the screen; true for good once the browser has had time for what is not. */
export function useSeen(of: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = of.current;
    if (!element || isSeen) return;
    const see = () => setSeen(true);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) see();
      },
      { rootMargin: `${AHEAD}px` },
    );
    observer.observe(element);
    const timer = setTimeout(() => whenIdle(see), IDLE_MS);
    window.addEventListener('beforeprint', see);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      window.removeEventListener('beforeprint', see);
    };
  }, [of, isSeen]);
  return isSeen;
}

/** Not every browser tells of idle times. */
function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then);
  else setTimeout(then);
}
