import { textProblem } from '@catchment/ids';
import { invalidAttribute } from './rule.ts';

const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,189}$/u;

/** Lower-case, as e-mail addresses are stored and compared. @throws DomainError invalid_argument */
export function readEmail(value: unknown, at: string): string {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (!EMAIL.test(email)) throw invalidAttribute(at, 'must be an e-mail address');
  return email;
}

/** A text given in a body or on the command line, trimmed. @throws DomainError invalid_argument */
export function readText(name: string, value: unknown, min: number, max: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  // The UTF-16 length bounds the work before code points are counted.
  const length = text.length > 2 * max ? max + 1 : [...text].length;
  if (typeof value !== 'string' || length < min || length > max)
    throw invalidAttribute(name, `must be a text of ${min} to ${max} characters`);
  const problem = textProblem(text);
  if (problem) throw invalidAttribute(name, problem);
  return text;
}
