import jsep, { type Expression } from 'jsep';
import { FUNCTIONS, type FunctionName } from './functions.ts';

/** An arithmetic expression of x. */
export type Term =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'x' }
  | { readonly kind: 'minus'; readonly of: Term }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Term; readonly right: Term }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly of: readonly Term[] };
export type Operator = '+' | '-' | '*' | '/' | '^';

const MAX_LENGTH = 1_000;
const MAX_NESTING = 50;
const PRECEDENCE: Readonly<Record<Operator, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 3 };
const MINUS = '-'.charCodeAt(0);
const CARET = '^'.charCodeAt(0);

jsep.removeAllBinaryOps();
jsep.removeAllUnaryOps();
jsep.removeAllLiterals();
for (const [operator, precedence] of Object.entries(PRECEDENCE))
  jsep.addBinaryOp(operator, precedence, operator === '^');

type Parser = { index: number; readonly code: number; gobbleToken(): Expression | false; gobbleSpaces(): void };

/** jsep lets a unary minus bind closer than any operator; here `-x^2` is `-(x^2)`, as it is written by hand. */
jsep.hooks.add('gobble-token', function (this: unknown, environment: { node?: Expression | false }) {
  const parser = this as Parser;
  if (parser.code !== MINUS) return;
  environment.node = minus(parser);
});

function minus(parser: Parser): Expression {
  parser.index += 1;
  return { type: 'UnaryExpression', operator: '-', argument: power(parser), prefix: true };
}

function power(parser: Parser): Expression | undefined {
  const base = parser.gobbleToken() || undefined;
  parser.gobbleSpaces();
  if (base === undefined || parser.code !== CARET) return base;
  parser.index += 1;
  return { type: 'BinaryExpression', operator: '^', left: base, right: power(parser) };
}

/** Tells why a text is no equation, in words that follow those of its rule. */
export class EquationFailure extends Error {}

/** @throws EquationFailure */
export function parseTerm(text: string): Term {
  if (text.length > MAX_LENGTH) throw new EquationFailure(`has more than ${MAX_LENGTH} characters`);
  checkSigns(text);
  let parsed: Expression;
  try {
    parsed = jsep(text);
  } catch (error) {
    const { description, index } = error as { description?: string; index?: number };
    if (description === undefined || index === undefined) throw error;
    throw unreadable(index);
  }
  return termOf(parsed, text);
}

/**
 * Refuses what the parser would overlook: strange signs, separators where there is nothing to separate. It calls itself
 * for each parenthesis.
 */
function checkSigns(text: string): void {
  let depth = 0;
  for (const [index, sign] of [...text].entries()) {
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    if (STRANGE.test(sign) || (sign === ',' && depth === 0)) throw unreadable(index);
    if (depth > MAX_NESTING)
      throw new EquationFailure(`has more than ${MAX_NESTING} parentheses in one another at character ${index + 1}`);
  }
  const gap = text.search(NOTHING_BETWEEN);
  if (gap >= 0) throw unreadable(gap + 1);
}

const STRANGE = /[^\w\s.,+\-*/^()]/u;
const NOTHING_BETWEEN = /[(,]\s*[,)]/;

const unreadable = (index: number) => new EquationFailure(`cannot be read at character ${index + 1}`);

function termOf(node: unknown, text: string): Term {
  const { type, ...parts } = (node ?? {}) as Expression & Record<string, unknown>;
  const of = (part: unknown): Term => termOf(part, text);
  switch (type) {
    case 'Literal':
      if (typeof parts.value !== 'number' || !Number.isFinite(parts.value)) throw stray(String(parts.raw), text);
      return { kind: 'number', value: parts.value };
    case 'Identifier':
      if (parts.name !== 'x') throw stray(String(parts.name), text);
      return { kind: 'x' };
    case 'UnaryExpression':
      return { kind: 'minus', of: of(parts.argument) };
    case 'BinaryExpression':
      return {
        kind: 'binary',
        operator: parts.operator as Operator,
        left: of(parts.left),
        right: of(parts.right),
      };
    case 'CallExpression':
      return call(parts.callee as Expression, (parts.arguments as unknown[]).map(of), text);
    default:
      throw new EquationFailure(text.trim() === '' ? 'is empty' : 'is not one expression');
  }
}

function call(callee: Expression, of: readonly Term[], text: string): Term {
  const name = callee.type === 'Identifier' ? String(callee.name) : '(';
  if (!isFunction(name)) throw new EquationFailure(`'${name}' is no function${at(name, text)}`);
  const { least, most } = FUNCTIONS[name];
  if (of.length < least || of.length > most) {
    const count = least === most ? `${least}` : `at least ${least}`;
    throw new EquationFailure(`${name} takes ${count} argument${count === '1' ? '' : 's'}${at(name, text)}`);
  }
  return { kind: 'call', name, of };
}

const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

const stray = (what: string, text: string) => new EquationFailure(`'${what}' means nothing${at(what, text)}`);

/** Tells where a word stands first. */
function at(word: string, text: string): string {
  const index = text.search(new RegExp(`(?<![\\w.$])${word.replace(/[^\w]/g, '\\$&')}(?![\\w$])`));
  return index < 0 ? '' : ` at character ${index + 1}`;
}
