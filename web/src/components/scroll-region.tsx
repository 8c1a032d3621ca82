import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

type ScrollRegionProps = { readonly label: string; readonly children: ComponentChildren; readonly class?: string };

/** Scrolls where there is too little room, then also by keyboard. */
export function ScrollRegion({ label, children, class: name = '' }: ScrollRegionProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  // Before the browser draws: a region that scrolls is never seen without its place for keys.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () =>
      setScrolls(element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    look();
    return () => observer.disconnect();
  });
  const focusable = scrolls ? ({ tabIndex: 0, role: 'region', 'aria-label': label } as const) : {};
  return (
    <div ref={ref} class={`scrolls ${name}`} {...focusable}>
      {children}
    </div>
  );
}
