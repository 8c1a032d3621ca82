import { useLayoutEffect, useRef } from 'preact/hooks';

export type TabItem = { readonly key: string; readonly label: string; readonly href: string; readonly count?: number };

/** Shows the parts of a page, each with its own address. */
export function Tabs({
  label,
  items,
  current,
}: {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly current: string;
}) {
  const bar = useRef<HTMLElement>(null);
  // The bar of a narrow page is scrolled: the part that is shown must be among those in sight.
  useLayoutEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (!bar.current || !current) return;
    const [from, to] = [
      current.offsetLeft - bar.current.offsetLeft,
      current.offsetLeft - bar.current.offsetLeft + current.offsetWidth,
    ];
    const { scrollLeft, clientWidth } = bar.current;
    if (from < scrollLeft || to > scrollLeft + clientWidth) bar.current.scrollLeft = (from + to - clientWidth) / 2;
  }, [current]);
  return (
    <nav ref={bar} class="tabs" aria-label={label}>
      {items.map(({ key, label: text, href, count }) => (
        <a key={key} href={href} aria-current={key === current ? 'page' : undefined}>
          {text}
          {count !== undefined && count > 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
