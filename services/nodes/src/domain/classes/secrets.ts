import { HIDDEN, keepKeys, maskKeys } from '../body/auth-keys.ts';
import { isJsonObject, type JsonObject, type Rule } from '../body/rule.ts';

/** Returns a stored value as it is shown: secrets that are set are masked (docs/reference/sources.md#attributes). */
export function maskSecrets(rule: Rule, value: unknown): unknown {
  if (!mayHold(rule)) return value;
  switch (rule.kind) {
    case 'secret':
      return value === null || value === undefined ? value : HIDDEN;
    case 'code':
      return typeof value === 'string' ? maskKeys(value) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => maskSecrets(rule.item, item)) : value;
    case 'object':
      return isJsonObject(value) ? mapFields(rule.fields, value, maskSecrets) : value;
    case 'checked':
      return maskSecrets(rule.rule, value);
    default:
      return value;
  }
}

const holders = new WeakMap<Rule, boolean>();

/** Most rules have no place for a secret: what they rule is shown as it is, without a look at all of it. */
function mayHold(rule: Rule): boolean {
  const known = holders.get(rule);
  if (known !== undefined) return known;
  const found = mayHoldWithin(rule);
  holders.set(rule, found);
  return found;
}

function mayHoldWithin(rule: Rule): boolean {
  switch (rule.kind) {
    case 'secret':
    case 'code':
      return true;
    case 'list':
      return mayHold(rule.item);
    case 'object':
      return Object.values(rule.fields).some((field) => mayHold(field.rule));
    case 'checked':
      return mayHold(rule.rule);
    default:
      return false;
  }
}

/**
 * Returns a value of a body with the secrets that it gives back as they were shown replaced by those stored, so that what GET
 * answers can be PUT. Entries of lists are recognised by the field that must be unique.
 */
export function keepSecrets(rule: Rule, value: unknown, stored: unknown): unknown {
  switch (rule.kind) {
    case 'secret':
      return value === HIDDEN && typeof stored === 'string' ? stored : value;
    case 'code':
      return typeof value === 'string' ? keepKeys(value, typeof stored === 'string' ? stored : '') : value;
    case 'list': {
      const key = rule.uniqueBy;
      if (!Array.isArray(value) || !Array.isArray(stored) || key === undefined) return value;
      return value.map((item) => {
        const before = stored.find((entry: JsonObject) => isJsonObject(item) && entry[key] === item[key]);
        return keepSecrets(rule.item, item, before);
      });
    }
    case 'object':
      return isJsonObject(value)
        ? mapFields(rule.fields, value, (field, given, name) =>
            keepSecrets(field, given, isJsonObject(stored) ? stored[name] : undefined),
          )
        : value;
    case 'checked':
      return keepSecrets(rule.rule, value, stored);
    default:
      return value;
  }
}

function mapFields(
  fields: Extract<Rule, { kind: 'object' }>['fields'],
  value: JsonObject,
  map: (rule: Rule, value: unknown, name: string) => unknown,
): JsonObject {
  const result: Record<string, unknown> = { ...value };
  for (const [name, { rule }] of Object.entries(fields))
    if (Object.hasOwn(value, name)) result[name] = map(rule, value[name], name);
  return result;
}
