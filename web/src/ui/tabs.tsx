export type TabItem = { readonly key: string; readonly label: string; readonly href: string; readonly count?: number };

/** Parts of a page, each with an address of its own. */
export function Tabs({
  label,
  items,
  current,
}: {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly current: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {items.map(({ key, label: text, href, count }) => (
        <a key={key} href={href} aria-current={key === current ? 'page' : undefined}>
          {text}
          {count !== undefined && count > 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
