import { useEffect, useRef } from 'preact/hooks';

/** Marks elements whose rows have changed since they were drawn last; each change flashes once. */
export function useFlash(version: string | undefined, key: string) {
  const ref = useRef<HTMLDivElement>(null);
  const known = useRef({ key, version });
  useEffect(() => {
    const { key: before, version: was } = known.current;
    known.current = { key, version };
    const element = ref.current;
    // An element that has got another row has not changed.
    if (before !== key) element?.classList.remove('is-new');
    if (before !== key || was === version || was === undefined) return;
    if (!element || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    element.classList.remove('is-new');
    // The browser must see it without, or it would not begin again.
    void element.offsetWidth;
    element.classList.add('is-new');
  }, [key, version]);
  return ref;
}
