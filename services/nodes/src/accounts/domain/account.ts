import { type Fields, invalidAttribute } from '../../domain/body/rule.ts';
import { readEmail, readText } from '../../domain/body/texts.ts';

export const ACCOUNT_TYPES = ['STANDARD', 'PREMIUM', 'STARTER', 'TRIAL', 'MANAGED'] as const;
const PERSON_NAME = { kind: 'text', max: 60 } as const;
/** A body may set these attributes of an account, besides its people. */
export const ACCOUNT = { accountName: { rule: { kind: 'text', min: 1, max: 120 } } } as const satisfies Fields;
type AccountType = (typeof ACCOUNT_TYPES)[number];

/** A new account has these categories (docs/reference/notifications.md#subscriptions-and-preferences). */
export const DEFAULT_CATEGORIES = ['Maintenance', 'Operations', 'Critical'] as const;
const SLUG_LETTERS = 14;

export type AccountInput = {
  readonly accountName: string;
  /** Lower-case. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly accountType: AccountType;
};

/** Checks what a new account is made of. @throws DomainError invalid_argument naming the argument */
export function readAccount(given: {
  accountName: string;
  email: string;
  firstName: string;
  lastName: string;
  accountType: string;
}): AccountInput {
  const email = readEmail(given.email, 'email');
  const type = ACCOUNT_TYPES.find((known) => known === (given.accountType.toUpperCase() || 'STANDARD'));
  if (!type) throw invalidAttribute('accountType', `must be one of ${ACCOUNT_TYPES.join(', ')}`);
  return {
    accountName: readText(ACCOUNT.accountName.rule, given.accountName, 'accountName'),
    email,
    firstName: readText(PERSON_NAME, given.firstName, 'firstName'),
    lastName: readText(PERSON_NAME, given.lastName, 'lastName'),
    accountType: type,
  };
}

/**
 * Makes a slug of 3-20 lower-case letters and digits from the account name plus a number
 * (docs/reference/accounts-and-usage.md#account).
 * @param number distinguishes accounts of one name; at most 6 digits
 */
export function slugOf(accountName: string, number: number): string {
  const letters = accountName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, SLUG_LETTERS);
  return `${letters.length < 2 ? 'account' : letters}${number}`;
}
