import type { Rule } from '../selections.ts';

export type ActionForm = 'set' | 'offset' | 'scale' | 'drift' | 'quality' | 'note';
/** A form is open over the records. */
export type Tool =
  | { readonly kind: 'action'; readonly of: ActionForm }
  | { readonly kind: 'rule'; readonly of: Rule['kind'] }
  | { readonly kind: 'add' };
