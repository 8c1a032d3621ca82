import { invalidAttribute } from '../../domain/body/rule.ts';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 200;

/**
 * Reads a new password (docs/reference/people-and-security.md#people): 10 to 200 characters, and not one that the e-mail gives away.
 * @throws DomainError invalid_argument naming the attribute
 */
export function readPassword(value: string, email: string, at = 'password'): string {
  const password = normalPassword(value);
  const length = password.length > 2 * PASSWORD_MAX ? PASSWORD_MAX + 1 : [...password].length;
  if (length < PASSWORD_MIN || length > PASSWORD_MAX || password.includes('\0') || !password.isWellFormed())
    throw invalidAttribute(at, `must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`);
  if (password.toLowerCase() === email) throw invalidAttribute(at, 'must not be the e-mail address');
  if (new Set(password).size < 4) throw invalidAttribute(at, 'must have at least 4 different characters');
  return password;
}

/** Returns one form of what keyboards write in several ways (NIST SP 800-63B, 5.1.1.2). */
export const normalPassword = (value: string): string => value.normalize('NFKC');
