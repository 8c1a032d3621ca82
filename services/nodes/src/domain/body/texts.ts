import { invalidAttribute, NO_CONTEXT, type Rule, readValue } from './rule.ts';

const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,189}$/u;

/** Reads an e-mail address in lower case, as addresses are stored and compared. @throws DomainError invalid_argument */
export function readEmail(value: unknown, at: string): string {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (!EMAIL.test(email)) throw invalidAttribute(at, 'must be an e-mail address');
  return email;
}

type Text = Extract<Rule, { kind: 'text' }>;

/** Reads a text given in a body or on the command line, trimmed. @throws DomainError invalid_argument */
export const readText = (rule: Text, value: unknown, at: string): string =>
  readValue(rule, typeof value === 'string' ? value.trim() : value, at, NO_CONTEXT) as string;
