import type { AccountChange, AnyAccount } from '../../data/session/operator.ts';

export const TYPES = ['STANDARD', 'PREMIUM', 'STARTER', 'TRIAL', 'MANAGED'] as const;
export const NUMBERS = ['sourceLimit', 'smsLimit', 'rowsPerSourcePerDay', 'recordDays', 'eventDays'] as const;
export type NumberName = (typeof NUMBERS)[number];

/** An empty text of a typed field is null. */
export type Typed = Readonly<Record<NumberName | 'accountName' | 'accountType' | 'status', string>>;

export const typedOf = (account: AnyAccount): Typed => ({
  accountName: account.accountName,
  accountType: account.accountType,
  status: account.status,
  ...(Object.fromEntries(NUMBERS.map((name) => [name, String(account[name] ?? '')])) as Record<NumberName, string>),
});

const FIELDS = ['accountName', 'accountType', 'status', ...NUMBERS] as const;
export type FieldName = (typeof FIELDS)[number];

/** Lays what somebody has typed over what another one has saved meanwhile. `both` names the fields that they changed differently. */
export function over(
  base: AnyAccount,
  typed: Typed,
  theirs: AnyAccount,
): { readonly typed: Typed; readonly both: readonly FieldName[] } {
  const [before, after] = [typedOf(base), typedOf(theirs)];
  const isMine = (name: FieldName) => typed[name].trim() !== before[name];
  return {
    typed: Object.fromEntries(FIELDS.map((name) => [name, isMine(name) ? typed[name] : after[name]])) as Typed,
    both: FIELDS.filter((name) => isMine(name) && before[name] !== after[name] && typed[name].trim() !== after[name]),
  };
}

/** Reads a number from 0 with a point or a comma; null for an empty text; undefined for anything else. */
export function limitOf(text: string): number | null | undefined {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return null;
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(plain) ? Number(plain) : undefined;
}

/** Returns the attributes that are different; `wrong`: fields that are no number. */
export function changeOf(
  account: AnyAccount,
  typed: Typed,
): { readonly change: AccountChange; readonly wrong: readonly NumberName[] } {
  const change: Record<string, unknown> = {};
  for (const name of ['accountName', 'accountType', 'status'] as const)
    if (typed[name].trim() !== account[name]) change[name] = typed[name].trim();
  const wrong: NumberName[] = [];
  for (const name of NUMBERS) {
    const value = limitOf(typed[name]);
    if (value === undefined) wrong.push(name);
    else if (value !== account[name]) change[name] = value;
  }
  return { change: change as AccountChange, wrong };
}
