import { CaseTag, Expression, type TagToken, type Template, type Token, Tokenizer, TokenKind } from 'liquidjs';
import { broken } from './budget.ts';
import { ARGUMENTS, COUNT, RANGE } from './filters.ts';
import { OPERATORS, precedence } from './operators.ts';

/** Evaluating a value costs this, beside the characters handled. */
const VALUE_COST = 10;
/** Deepest tags in tags, and values in values. */
const MAX_DEPTH = 50;

/** A filter and its arguments; named ones are pairs. */
type AppliedFilter = {
  readonly name: string;
  readonly token?: Token;
  readonly args: readonly (Parsed | readonly [string, Parsed])[];
};
/** liquidjs has such a value with filters in tags and outputs. */
type Filtered = { readonly initial: { postfix: Parsed[] }; readonly filters: readonly AppliedFilter[] };
/** liquidjs has made this of a value or an operator. */
type Parsed = Token & {
  readonly operator?: string;
  readonly variable?: Parsed;
  readonly props?: readonly Parsed[];
  lhs?: Parsed;
  rhs?: Parsed;
} & Partial<Filtered>;

/** A loop may have these arguments, all of them counts but `reversed`. */
const LOOP_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  for: ['limit', 'offset', 'reversed'],
  tablerow: ['cols', 'limit', 'offset'],
};

/**
 * Makes a parsed text what docs/reference/expressions.md says: refuses what liquidjs passes over, reorders operators by our
 * precedence, bounds ranges and counts, and lets each part count what it costs.
 * @throws DomainError invalid_argument
 */
export function checkTemplates(templates: readonly Template[], depth = 0): void {
  refuseDepth(depth);
  for (const template of templates) {
    const visit = new Visit();
    if (isLoop(template)) checkLoop(template);
    const given = [...(template.arguments?.() ?? [])] as unknown as readonly (Parsed | Filtered | undefined)[];
    for (const argument of given) if (argument) visit.value(argument, 0);
    refuseRest(template, given[0]);
    countCost(template, visit.values);
    checkTemplates((template.children?.(false, true).next().value as Template[] | undefined) ?? [], depth + 1);
  }
}

function refuseDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw broken('the text is nested too deeply');
}

/** Refuses what follows when liquidjs has read what it needs: it passes over that. */
function refuseRest(template: Template, value: Parsed | Filtered | undefined): void {
  const { tokenizer, contentRange, input } = template.token as Token & Partial<TagToken>;
  const end = contentRange?.[1];
  // A tag knows how far it has read; for an output its parts show it.
  const reader = tokenizer ?? (value && new Tokenizer(input, OPERATORS, undefined, [endOf(value), end ?? 0]));
  reader?.skipBlank();
  if (reader && !reader.end()) throw broken(`unexpected ${reader.snapshot()}`);
  if (template instanceof CaseTag && template.branches.some(({ values }) => values.length === 0))
    throw broken('when needs a value');
}

/** Returns where a value ends in the source, with its filters. */
function endOf({ initial, filters }: Parsed | Filtered): number {
  const ends = [...(initial?.postfix ?? []), ...(filters ?? []).flatMap(({ token }) => token ?? [])];
  return ends.reduce((last, { end }) => Math.max(last, end), 0);
}

class Visit {
  /** The tag or output evaluates this many values at most. */
  values = 0;

  value(value: Parsed | Filtered, depth: number): void {
    refuseDepth(depth);
    this.values += 1;
    if (value.initial) this.#filtered(value as Filtered, depth);
    else this.#token(value as Parsed, depth);
  }

  #filtered({ initial, filters }: Filtered, depth: number): void {
    initial.postfix = inOrder(initial.postfix);
    for (const token of initial.postfix) if (token.operator === undefined) this.value(token, depth + 1);
    for (const { name, args } of filters) {
      checkArguments(name, args);
      for (const argument of args) this.value(argument as Parsed, depth + 1);
    }
  }

  #token(token: Parsed, depth: number): void {
    if (token.variable) this.value(token.variable, depth + 1);
    for (const property of token.props ?? []) this.value(property, depth + 1);
    if (!token.lhs || !token.rhs) return;
    this.value(token.lhs, depth + 1);
    this.value(token.rhs, depth + 1);
    Object.assign(token, filtered(token.lhs, RANGE, [token.rhs]));
  }
}

function checkArguments(name: string, args: AppliedFilter['args']): void {
  const takes = ARGUMENTS.get(name);
  if (!takes) throw broken(`undefined filter: ${name}`);
  if (args.some((argument) => Array.isArray(argument))) throw broken(`${name} takes no named arguments`);
  if (args.length < takes.least || args.length > takes.most)
    throw broken(
      `${name} takes ${takes.least === takes.most ? takes.least : `${takes.least} to ${takes.most}`} arguments`,
    );
}

/** Makes a value that liquidjs evaluates by a filter. */
const filtered = (initial: Parsed, name: string, args: readonly Parsed[]) => ({
  kind: TokenKind.FilteredValue,
  initial: new Expression([initial]),
  filters: [{ name, args }],
});

/** Returns the tokens of an expression, operators after what they work on, in our precedence and from right to left. */
function inOrder(postfix: readonly Parsed[]): Parsed[] {
  const infix = postfix.toSorted((a, b) => a.begin - b.begin);
  const isWellFormed =
    infix.length % 2 === 1 && infix.every(({ operator }, index) => (operator !== undefined) === (index % 2 === 1));
  if (!isWellFormed) throw broken('values must have an operator between them');
  const ordered: Parsed[] = [];
  const waiting: Parsed[] = [];
  for (const token of infix) {
    if (token.operator === undefined) ordered.push(token);
    else {
      while (waiting.length > 0 && precedence(waiting.at(-1)!.operator!) > precedence(token.operator))
        ordered.push(waiting.pop()!);
      waiting.push(token);
    }
  }
  return [...ordered, ...waiting.reverse()];
}

type Loop = Template & {
  name: string;
  hash?: { hash: Record<string, Parsed | undefined> };
  args?: { hash: Record<string, Parsed | undefined> };
};

const isLoop = (template: Template): template is Loop =>
  'name' in template && Object.hasOwn(LOOP_ARGUMENTS, template.name as string);

function checkLoop(loop: Loop): void {
  const given = (loop.hash ?? loop.args)!.hash;
  for (const [name, value] of Object.entries(given)) {
    const isKnown = LOOP_ARGUMENTS[loop.name]!.includes(name);
    if (!isKnown || (name === 'reversed') !== (value === undefined))
      throw broken(`${loop.name} has no argument ${name}`);
    if (value) given[name] = filtered(value, COUNT, []) as unknown as Parsed;
  }
}

/** liquidjs counts a step for each part; one with a long source or many values costs more than one without. */
function countCost(template: Template, values: number): void {
  const { begin, end } = template.token;
  const cost = end - begin + VALUE_COST * values;
  const render = template.render;
  template.render = function* (context, emitter) {
    context.memoryLimit.use(cost);
    const written: unknown = yield render.call(template, context, emitter);
    if (written !== undefined) emitter.write(written);
  };
}
