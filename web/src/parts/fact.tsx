import type { ComponentChildren } from 'preact';

/** Shows a line of a list of facts: it stands in a `dl`. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
