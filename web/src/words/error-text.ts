import { words } from './index.ts';

/** A failure of the client. */
type Failure = {
  readonly kind?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly status?: number;
};

/**
 * Writes what a person reads of a failure: by its reason, otherwise by its kind, and what is wrong with an argument as the server says it.
 */
export function errorText(error: unknown): string {
  const { kind = '', reason = '', message = '' } = (error ?? {}) as Failure;
  const { kinds, reasons, withSent } = words.value.errors;
  const byKind = Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : '';
  const sent = message.replace(/ \(\d{3}(?:, [^)]*)?\)(?:: [^:]*)?$/, '');
  const text = reasons[reason];
  // The server alone says which rule a value breaks.
  if (text !== undefined) return kind === 'argument' && sent !== '' ? withSent(text, sent) : text;
  return byKind === '' ? sent || kinds.server : byKind;
}

/** Says the same at the field that it is about, which need not be named again. */
export const textAtField = (text: string): string => text.replace(/(^|: )[\w.[\]]+: /, '$1');
