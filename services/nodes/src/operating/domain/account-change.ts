import type { UpdateAccountRequest } from '@catchment/contracts/owners';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';

const TEXTS = ['accountName', 'accountType', 'status'] as const;
const NUMBERS = ['sourceLimit', 'smsLimit', 'rowsPerSourcePerDay', 'recordDays', 'eventDays'] as const;
const KNOWN: readonly string[] = [...TEXTS, ...NUMBERS];

/** The contract has a number below 0 for no limit, or for that of the installation. */
const NONE = -1;

/**
 * Reads what the operator changes of an account; null is no limit, or for rows and days the limit of the installation.
 * The rules of values stand where the command line has them too.
 * @throws DomainError invalid_argument naming the attribute
 */
export function readAccountChange(account: string, body: JsonObject): UpdateAccountRequest {
  for (const name of Object.keys(body))
    if (!KNOWN.includes(name)) throw invalidAttribute(name.slice(0, 60), `must be one of ${KNOWN.join(', ')}`);
  const change: { account: string } & Record<string, unknown> = { account };
  for (const name of TEXTS) {
    const value = body[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw invalidAttribute(name, 'must be a text');
    change[name] = value;
  }
  for (const name of NUMBERS) {
    const value = body[name];
    if (value === undefined) continue;
    if (value !== null && (typeof value !== 'number' || value < 0))
      throw invalidAttribute(name, 'must be a number from 0, or null');
    change[name] = value ?? NONE;
  }
  return change;
}
