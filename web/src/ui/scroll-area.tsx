import type { ComponentChildren } from 'preact';

type ScrollAreaProps = {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A part of a page that scrolls by itself, such as a long table. It can have the focus: people scroll it by keys too. */
export function ScrollArea({ label, class: name, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: browsers scroll by keys what has the focus
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
