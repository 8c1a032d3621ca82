import type { ComponentChildren } from 'preact';

type CardProps = { readonly title: string; readonly class?: string; readonly children: ComponentChildren };

/** Shows a part of the page with its name. */
export const Card = ({ title, class: more = '', children }: CardProps) => (
  <section class={`device-card ${more}`} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);
