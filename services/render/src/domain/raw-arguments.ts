import { invalid } from '@catchment/errors';

type Raw = Readonly<Record<string, string>>;
type Range = { readonly min: number; readonly max: number };

/** An argument that is present and not empty (semantics 2.1 rule 6). */
export function givenText(raw: Raw, name: string): string | undefined {
  return Object.hasOwn(raw, name) ? raw[name] || undefined : undefined;
}

/** One of the choices, given in any letter case. @throws DomainError invalid_argument */
export function choiceArgument<const T extends string>(raw: Raw, name: string, choices: readonly T[]): T | undefined {
  const text = givenText(raw, name);
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text.toUpperCase());
  if (choice === undefined) throw invalid('INVALID_ARGUMENT', `${name} must be one of ${choices.join(', ')}`);
  return choice;
}

/** TRUE or FALSE in any letter case. @throws DomainError invalid_argument */
export function booleanArgument(raw: Raw, name: string): boolean | undefined {
  const choice = choiceArgument(raw, name, ['TRUE', 'FALSE']);
  return choice === undefined ? undefined : choice === 'TRUE';
}

/** @throws DomainError invalid_argument */
export function intArgument(raw: Raw, name: string, { min, max }: Range): number | undefined {
  const text = givenText(raw, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^[+-]?\d{1,15}$/.test(text) && value >= min && value <= max) return value;
  throw invalid('INVALID_ARGUMENT', `${name} must be a whole number from ${min} to ${max}`);
}

/** A decimal number. @throws DomainError invalid_argument */
export function numberArgument(raw: Raw, name: string, { min, max }: Range): number | undefined {
  const text = givenText(raw, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^[+-]?\d{1,15}(\.\d{0,15})?$/.test(text) && value >= min && value <= max) return value;
  throw invalid('INVALID_ARGUMENT', `${name} must be a number from ${min} to ${max}`);
}
