type Sent = { readonly transport?: { readonly _class: string } };

/** Returns `Scout` of a source; that of a source without one is `None`. */
export const transportOf = ({ transport }: Sent): string =>
  transport ? transport._class.slice(transport._class.lastIndexOf('.') + 1) : 'None';
