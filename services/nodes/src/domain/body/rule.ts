import { invalid } from '@catchment/errors';
import { normaliseObjectId, parseNodeRef, textProblem } from '@catchment/ids';
import { isJsonObject, type JsonObject } from '@catchment/json-body';
import { formatIsoMs, normaliseZoneName, parseOpc, parsePeriod, parseTimeValueMs } from '@catchment/time';
import { authProblem, HIDDEN } from './auth-keys.ts';
import type { ClassNames } from './class-names.ts';

export { isJsonObject, type JsonObject };

/**
 * A rule says, as data, which values an attribute takes. `read` answers the value as it is stored: trimmed, upper-cased, with the
 * usual spelling of zones.
 */
export type Rule =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'choiceOfIntegers'; readonly of: readonly number[] }
  | {
      readonly kind: 'text';
      readonly max: number;
      readonly min?: number;
      /** The bytes are counted in UTF-8. */
      readonly maxBytes?: number;
      readonly pattern?: RegExp;
      readonly rule?: string;
      /** Line breaks and tabs may be in it; other control characters are in no text (`textProblem`). */
      readonly lines?: true;
    }
  /**
   * Written, never shown: such a text is read back as `HIDDEN` (docs/reference/sources.md#attributes), which given again
   * changes nothing.
   */
  | {
      readonly kind: 'secret';
      readonly max: number;
      readonly pattern?: RegExp;
      readonly rule?: string;
      readonly lines?: true;
    }
  /** Text of programs: shown without the keys in it (auth-keys.ts), unknown to filter and sort. `max` in characters and bytes. */
  | { readonly kind: 'code'; readonly max: number }
  /** The caller gives an ObjectId, so that an entry stays recognisable; it is made where it is absent. */
  | { readonly kind: 'entryId' }
  | { readonly kind: 'choice'; readonly of: readonly string[]; readonly synonyms?: Readonly<Record<string, string>> }
  | { readonly kind: 'zone' }
  | { readonly kind: 'time' }
  | { readonly kind: 'opcPeriod' }
  | { readonly kind: 'opcTime' }
  | { readonly kind: 'categoryId' }
  /**
   * A node of the same account whose class begins with `classPrefix`; `@customId` is resolved at once. A reference that
   * the node has already may stay though it is broken by now.
   */
  | {
      readonly kind: 'nodeRef';
      readonly classPrefix: string;
      readonly what: string;
      readonly sameWorkspace?: true;
      /** A clone drops the reference when its node is in another workspace; otherwise the reference is kept as broken. */
      readonly dropBroken?: true;
    }
  | { readonly kind: 'anyOf'; readonly rules: readonly Rule[]; readonly rule: string }
  | {
      readonly kind: 'list';
      readonly item: Rule;
      readonly max: number;
      readonly min?: number;
      readonly uniqueBy?: string;
    }
  | { readonly kind: 'object'; readonly fields: Fields }
  /** Anything: the `checked` rule around it reads it. @param of what that rule takes, for descriptions */
  | { readonly kind: 'raw'; readonly of: Rule }
  /** Checks rules between the parts of a value that has passed `rule`; answers the stored form. */
  | {
      readonly kind: 'checked';
      readonly rule: Rule;
      readonly check: (value: never, at: string, context: RuleContext) => unknown;
    };

/** Fields of an object; those that are not `required` may be absent or null: then the default is stored, or nothing. */
export type Fields = Readonly<
  Record<string, { readonly rule: Rule; readonly required?: true; readonly default?: unknown }>
>;

/** A reference names this node. */
export type FoundNode = {
  readonly nodeId: string;
  readonly class: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly displayType: string;
};

/** The facts of the account that rules need; references are resolved before rules run. */
export type RuleContext = {
  readonly hasCategory: (categoryId: string) => boolean;
  /** Makes an id for an entry that has been given none. */
  readonly newId: () => string;
  /** Finds the node that a reference of the body names, also by its id; undefined = no such node. */
  readonly findNode: (reference: string) => FoundNode | undefined;
  /** True where the node's stored configuration holds the id already. */
  readonly isKept?: (nodeId: string) => boolean;
  /** The node itself and its workspace; absent while it is made. */
  readonly nodeId?: string;
  readonly workspaceId?: string | undefined;
  readonly names?: ClassNames;
  /** Instances of a node in a template may have these attributes of their own. */
  readonly template?: { readonly overridable: readonly string[] };
};

/** Values that name nothing of the account and have no entries with ids take this context. */
export const NO_CONTEXT: RuleContext = {
  hasCategory: () => false,
  findNode: () => undefined,
  newId: () => {
    throw new Error('no ids are made here');
  },
};

export const invalidAttribute = (attribute: string, rule: string) =>
  invalid('INVALID_ATTRIBUTE', `${attribute}: ${rule}`);

/**
 * Returns the value in its stored form.
 * @param at name of the attribute for the refusal, for example `chart.lineWidth`
 * @throws DomainError invalid_argument naming attribute and rule
 */
export function readValue(rule: Rule, value: unknown, at: string, context: RuleContext): unknown {
  const refuse = (text: string) => invalidAttribute(at, text);
  switch (rule.kind) {
    case 'boolean':
      if (typeof value !== 'boolean') throw refuse('must be true or false');
      return value;
    case 'number': {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = rule;
      if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse('must be a finite number');
      if (value < min || value > max) throw refuse(`must be from ${min} to ${max}`);
      return value;
    }
    case 'integer':
      if (!isWhole(value) || value < rule.min || value > rule.max)
        throw refuse(`must be a whole number from ${rule.min} to ${rule.max}`);
      return value;
    case 'choiceOfIntegers':
      if (!isWhole(value) || !rule.of.includes(value)) throw refuse(`must be one of ${rule.of.join(', ')}`);
      return value;
    case 'text':
      return readText(rule, value, at);
    case 'choice':
      return readChoice(rule, value, at);
    case 'zone': {
      const zone = typeof value === 'string' ? normaliseZoneName(value) : undefined;
      if (zone === undefined) throw refuse('must be an IANA time zone name such as Etc/UTC or Australia/Perth');
      return zone;
    }
    case 'time': {
      const ms = typeof value === 'number' ? undefined : parseTimeValueMs(value);
      if (ms === undefined) throw refuse('must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z');
      return formatIsoMs(ms);
    }
    case 'opcPeriod':
      if (typeof value !== 'string' || parsePeriod(value) === undefined)
        throw refuse('must be an interval above 0 such as 30M, 1H30M, 1D or 1MO');
      return value.trim();
    case 'opcTime':
      if (typeof value !== 'string' || parseOpc(value) === undefined)
        throw refuse('must be a relative time such as D, NOW-1H or MO+6H');
      return value.trim();
    case 'categoryId': {
      const id = typeof value === 'string' ? normaliseObjectId(value) : undefined;
      if (id === undefined || !context.hasCategory(id))
        throw refuse('must be the id of a notification category of the account');
      return id;
    }
    case 'nodeRef': {
      const ref = typeof value === 'string' ? parseNodeRef(value) : undefined;
      const node = ref && context.findNode(value as string);
      if (ref?.kind === 'id' && context.isKept?.(ref.id) && node?.workspaceId !== context.workspaceId) return ref.id;
      if (!node?.class.startsWith(rule.classPrefix)) throw refuse(`must be the id of ${rule.what} of the account`);
      if (rule.sameWorkspace && node.workspaceId !== context.workspaceId)
        throw refuse(`must be the id of ${rule.what} of the same Workspace`);
      return node.nodeId;
    }
    case 'secret':
      if (value === HIDDEN) throw refuse(`${HIDDEN} stands for a secret that is set, and none is`);
      return readText({ min: 1, ...rule }, value, at);
    case 'code': {
      const code = readText({ max: rule.max, maxBytes: rule.max, lines: true }, value, at);
      const problem = authProblem(code);
      if (problem) throw refuse(problem);
      return code;
    }
    case 'entryId': {
      const id = typeof value === 'string' ? normaliseObjectId(value) : undefined;
      if (id === undefined) throw refuse('must be an id of 24 hexadecimal characters');
      return id;
    }
    case 'raw':
      return value;
    case 'checked':
      return rule.check(readValue(rule.rule, value, at, context) as never, at, context);
    case 'anyOf': {
      for (const alternative of rule.rules) {
        try {
          return readValue(alternative, value, at, context);
        } catch {
          // The next one may fit; the error names the common rule when none does.
        }
      }
      throw refuse(rule.rule);
    }
    case 'list':
      return readList(rule, value, at, context);
    case 'object':
      return readObject(rule.fields, value, at, context);
  }
}

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

type TextRule = {
  readonly min?: number;
  readonly max: number;
  readonly maxBytes?: number;
  readonly pattern?: RegExp;
  readonly rule?: string;
  readonly lines?: true;
};

function readText(rule: TextRule, value: unknown, at: string): string {
  const { min = 0, max } = rule;
  const range = min === 0 ? `of at most ${max} characters` : `of ${min} to ${max} characters`;
  // The UTF-16 length bounds the work before code points are counted.
  const length = typeof value !== 'string' ? -1 : value.length > 2 * max ? max + 1 : [...value].length;
  if (typeof value !== 'string' || length < min || length > max) throw invalidAttribute(at, `must be a text ${range}`);
  const problem = textProblem(value, rule);
  if (problem) throw invalidAttribute(at, problem);
  if (rule.maxBytes !== undefined && Buffer.byteLength(value) > rule.maxBytes)
    throw invalidAttribute(at, `must be at most ${rule.maxBytes} bytes of UTF-8`);
  if (rule.pattern && !rule.pattern.test(value)) throw invalidAttribute(at, rule.rule ?? `must match ${rule.pattern}`);
  return value;
}

function readChoice(rule: Extract<Rule, { kind: 'choice' }>, value: unknown, at: string): string {
  const upper = typeof value === 'string' ? value.toUpperCase() : undefined;
  const found = rule.of.find((known) => known.toUpperCase() === upper);
  const meant = found ?? (upper === undefined ? undefined : rule.synonyms?.[upper]);
  if (meant === undefined) throw invalidAttribute(at, `must be one of ${rule.of.join(', ')}`);
  return meant;
}

function readList(rule: Extract<Rule, { kind: 'list' }>, value: unknown, at: string, context: RuleContext): unknown[] {
  if (!Array.isArray(value)) throw invalidAttribute(at, 'must be an array');
  if (value.length > rule.max) throw invalidAttribute(at, `must have at most ${rule.max} entries`);
  if (value.length < (rule.min ?? 0)) throw invalidAttribute(at, `must have at least ${rule.min} entries`);
  const items = value.map((item, i) => readValue(rule.item, item, `${at}[${i}]`, context));
  const seen = new Set<unknown>();
  for (const [i, item] of items.entries()) {
    const key = rule.uniqueBy !== undefined && isJsonObject(item) ? item[rule.uniqueBy] : item;
    if (rule.uniqueBy === undefined) continue;
    if (seen.has(key)) throw invalidAttribute(`${at}[${i}].${rule.uniqueBy}`, 'must be unique in the list');
    seen.add(key);
  }
  return items;
}

/** Unknown fields are ignored (docs/reference/node-tree.md#updates). */
export function readObject(fields: Fields, value: unknown, at: string, context: RuleContext): JsonObject {
  if (!isJsonObject(value)) throw invalidAttribute(at, 'must be an object');
  const result: Record<string, unknown> = {};
  for (const [name, { rule, required, default: fallback }] of Object.entries(fields)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const inside = at === '' ? name : `${at}.${name}`;
    if (given === undefined || given === null) {
      if (required) throw invalidAttribute(inside, 'is required');
      if (rule.kind === 'entryId') result[name] = context.newId();
      else if (fallback !== undefined) result[name] = fallback;
      continue;
    }
    result[name] = readValue(rule, given, inside, context);
  }
  return result;
}
