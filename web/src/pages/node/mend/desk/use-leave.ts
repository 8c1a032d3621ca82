import { useEffect, useRef, useState } from 'preact/hooks';

/** Asks before a page with unsaved work is left: the browser before it closes or reloads, the page before a link is followed. */
export function useLeave(isUnsaved: boolean) {
  const [target, setTarget] = useState<string>();
  const allowed = useRef(false);
  useEffect(() => {
    if (!isUnsaved) return;
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener('beforeunload', (event) => !allowed.current && event.preventDefault(), { signal });
    // The listener comes before the router's.
    addEventListener(
      'click',
      (event) => {
        const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null;
        if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (link.target || link.download || link.origin !== location.origin || link.pathname === location.pathname)
          return;
        event.preventDefault();
        event.stopPropagation();
        setTarget(link.href.slice(location.origin.length));
      },
      { signal, capture: true },
    );
    return () => stop.abort();
  }, [isUnsaved]);
  return {
    target,
    stay: () => setTarget(undefined),
    allow: () => {
      allowed.current = true;
    },
  };
}
