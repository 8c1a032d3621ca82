import { invalid } from '@catchment/errors';
import { isStorableText, STORABLE_TEXT } from '@catchment/ids';
import { closingParenthesis, splitTopLevel, unescapeText } from './scan.ts';

const FILTER_OPERATORS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$match', '$like'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

const OPERAND_TYPES = ['Number', 'Boolean', 'String', 'Text', 'Time', 'ObjectId'] as const;
export type OperandType = (typeof OPERAND_TYPES)[number];

interface Operand {
  /** Escapes resolved, trimmed. */
  readonly text: string;
  /** Present when written as `Number(5)`. */
  readonly type?: OperandType;
}

export interface Criterion {
  /** Dotted attribute name. */
  readonly path: string;
  readonly operator: FilterOperator;
  readonly operand: Operand;
}

/** A filter is an OR of ANDs; an empty one lets everything pass. */
export type Filter = readonly (readonly Criterion[])[];

/** The longest query string (docs/reference/requests-and-errors.md#order-of-checks) can hold no longer filter. */
const MAX_TEXT = 4096;
const PATH = /^[^\s().,|\\"]+(?:\.[^\s().,|\\"]+)*$/;

export const invalidFilter = (rule: string) => invalid('INVALID_FILTER', `filter ${rule}`);

/**
 * The AST of a `filter` argument (docs/reference/query-arguments.md#filter), already percent-decoded.
 * @throws DomainError invalid_argument
 */
export function parseFilter(text: string): Filter {
  if (text.trim() === '') return [];
  if (text.length > MAX_TEXT) throw invalidFilter(`must have at most ${MAX_TEXT} characters`);
  if (!isStorableText(text)) throw invalidFilter(`must be ${STORABLE_TEXT}`);
  return split(text, '|').map((term) => split(term, ',').map(parseCriterion));
}

function split(text: string, separator: string): string[] {
  const parts = splitTopLevel(text, separator);
  if (parts === undefined) throw invalidFilter('must have balanced parentheses');
  return parts;
}

function parseCriterion(raw: string): Criterion {
  const text = raw.trim();
  const open = text.indexOf('(');
  if (open < 0 || closingParenthesis(text, open) !== text.length - 1) {
    throw invalidFilter(`must consist of criteria such as name($eq:value): ${quote(text)}`);
  }
  const path = text.slice(0, open).trim();
  if (!PATH.test(path)) throw invalidFilter(`must name an attribute before each parenthesis: ${quote(text)}`);
  const inside = text.slice(open + 1, -1);
  const colon = inside.indexOf(':');
  const operator = FILTER_OPERATORS.find((known) => colon >= 0 && known === inside.slice(0, colon).trim());
  if (operator === undefined) {
    throw invalidFilter(`must use one of ${FILTER_OPERATORS.join(', ')} followed by a colon: ${quote(text)}`);
  }
  return { path, operator, operand: parseOperand(inside.slice(colon + 1).trim()) };
}

function parseOperand(raw: string): Operand {
  const open = raw.indexOf('(');
  const type = OPERAND_TYPES.find((known) => open >= 0 && known === raw.slice(0, open));
  if (type === undefined || closingParenthesis(raw, open) !== raw.length - 1) return { text: unescapeText(raw) };
  return { type, text: unescapeText(raw.slice(open + 1, -1).trim()) };
}

/** Quotes enough of a criterion to recognise it in a message. */
const quote = (text: string): string => `'${[...text].slice(0, 60).join('')}'`;
