import type { AnyNode, CallExpression, Node, Program } from 'acorn';
import type { Analysis, Reference } from '../../domain/program.ts';
import { BUILT_INS } from './built-ins.ts';

/** Globals of docs/reference/processing-and-ratings.md#program-language; `require` and `console` may be used in shared code. */
const LANGUAGE = new Set('NOW THIS SOURCE LOCATION WORKSPACE NODE NODES NUMBER TEXT TIME BOOLEAN T Q AUTH'.split(' '));
/** No path is longer; texts that are made of each other grow fast. */
const MAX_PATH = 2_000;
const READERS: ReadonlySet<string> = new Set(['NODE', 'NODES', 'NUMBER', 'TEXT', 'TIME', 'BOOLEAN']);
/** Symbols of formulas (`function dewPoint(T, RH)`): inside functions they may mean something else. */
const SHADOWABLE: ReadonlySet<string> = new Set(['T', 'Q']);

/** A text was refused at this line. */
export class Refusal extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

export type Names = {
  /** The outermost scope has these names, with their lines. */
  readonly top: Scope;
  /** Variables that are a text all the time. */
  readonly constants: ReadonlyMap<string, string>;
};
type Scope = ReadonlyMap<string, number>;

/** The meaning of a text. */
export type Reading = {
  readonly references: (Reference & { readonly start: number })[];
  readonly grants: Analysis['grants'][number][];
  /** Expressions that are thrown. */
  readonly throws: { readonly start: number; readonly end: number; readonly line: number }[];
  /** Variables that are assigned and nowhere declared: ECMAScript 5 makes globals of them. */
  readonly undeclared: string[];
  /** LOCATION stands for its coordinates in this line. */
  locationLine?: number;
};

const lineOf = (node: Node): number => node.loc?.start.line ?? 1;
type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;
const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

/** Nodes right below a node, in the order of the text where that matters. */
function* childrenOf(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') yield child;
  }
}

/** Returns whether an identifier stands for a variable: not for a property, a label. */
function* variablesBelow(node: AnyNode): Generator<AnyNode> {
  for (const child of childrenOf(node)) {
    if (child.type === 'Identifier' && !isVariable(child, node)) continue;
    yield child;
  }
}
function isVariable(child: AnyNode, parent: AnyNode): boolean {
  switch (parent.type) {
    case 'MemberExpression':
      return parent.computed || parent.object === child;
    case 'Property':
      // Both of `{ T }` are the same variable; the value is visited.
      return parent.value === child || (parent.computed && parent.key === child);
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.value === child || (parent.computed && parent.key === child);
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return false;
    default:
      return true;
  }
}

/** Returns whether what follows the dot changes with records. */
const readsRecords = ({ computed, property }: Extract<AnyNode, { type: 'MemberExpression' }>): boolean =>
  computed || property.type !== 'Identifier' || /^(?:current|newest|valueOf|to)/.test(property.name);

/** Names that a pattern binds. */
function* namesOf(pattern: AnyNode | null): Generator<AnyNode & { type: 'Identifier' }> {
  switch (pattern?.type) {
    case 'Identifier':
      yield pattern;
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties)
        yield* namesOf(property.type === 'Property' ? property.value : property.argument);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) yield* namesOf(element);
      break;
    case 'AssignmentPattern':
      yield* namesOf(pattern.left);
      break;
    case 'RestElement':
      yield* namesOf(pattern.argument);
      break;
    default:
  }
}

/**
 * Names that statements declare, whatever the block, not those of functions within. A name that only a block knows counts for all of its
 * function: what could be meant is decided on the safe side.
 */
export function declared(nodes: readonly AnyNode[]): Map<string, number> {
  const names = new Map<string, number>();
  const add = (pattern: AnyNode | null) => {
    for (const identifier of namesOf(pattern))
      if (!names.has(identifier.name)) names.set(identifier.name, lineOf(identifier));
  };
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'VariableDeclarator') add(node.id);
    if (node.type === 'CatchClause') add(node.param ?? null);
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') add(node.id);
    if (!isFunction(node)) waiting.push(...childrenOf(node));
  }
  return names;
}

/** Variables that are declared once, with a text, and never assigned. */
export function literalsOf(programs: readonly Program[]): ReadonlyMap<string, string> {
  const bound = new Map<string, number>();
  const initial = new Map<string, AnyNode>();
  const bind = (pattern: AnyNode | null, times = 1) => {
    for (const { name } of namesOf(pattern)) bound.set(name, (bound.get(name) ?? 0) + times);
  };
  const waiting: AnyNode[] = [...programs];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'VariableDeclarator') {
      bind(node.id);
      if (node.id.type === 'Identifier' && node.init) initial.set(node.id.name, node.init);
    }
    if (node.type === 'AssignmentExpression') bind(node.left, 2);
    if (node.type === 'UpdateExpression') bind(node.argument, 2);
    if (node.type === 'ForInStatement' || node.type === 'ForOfStatement')
      bind(node.left.type === 'VariableDeclaration' ? (node.left.declarations[0]?.id ?? null) : node.left, 2);
    if (node.type === 'CatchClause') bind(node.param ?? null, 2);
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') bind(node.id ?? null, 2);
    if (isFunction(node)) {
      bind(node.id ?? null, 2);
      for (const parameter of node.params) bind(parameter, 2);
    }
    waiting.push(...childrenOf(node));
  }
  const constants = new Map<string, string>();
  // A text may be made of those before it.
  for (const [name, value] of [...initial].sort(([, a], [, b]) => a.start - b.start)) {
    const text = bound.get(name) === 1 ? literal(value, constants) : undefined;
    if (text !== undefined) constants.set(name, text);
  }
  return constants;
}

/** Returns the text that an expression is without being evaluated. */
function literal(node: AnyNode | undefined, constants: ReadonlyMap<string, string>): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'Identifier') return constants.get(node.name);
  if (node?.type === 'TemplateLiteral') {
    const [only] = node.quasis;
    return node.expressions.length === 0 ? (only?.value.cooked ?? undefined) : undefined;
  }
  if (node?.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const left = literal(node.left, constants);
  const right = literal(node.right, constants);
  if (left === undefined || right === undefined || left.length + right.length > MAX_PATH) return undefined;
  return left + right;
}

/** @throws Refusal */
export function readText(ast: Program, names: Names, isShared: boolean): Reading {
  const reading: Reading = { references: [], grants: [], throws: [], undeclared: [] };
  refuseNames(declared(ast.body), new Set());
  visitBelow(ast, [names.top]);
  return reading;

  function visitBelow(node: AnyNode, scopes: readonly Scope[]): void {
    for (const child of variablesBelow(node)) visit(child, scopes);
  }

  function visit(node: AnyNode, scopes: readonly Scope[]): void {
    switch (node.type) {
      case 'Identifier':
        if (isLanguage(node.name, scopes)) refuseUse(node.name, lineOf(node));
        if (node.name === 'LOCATION') reading.locationLine ??= lineOf(node);
        return;
      case 'MemberExpression':
        // Attributes of LOCATION are there without its records.
        if (node.object.type !== 'Identifier' || node.object.name !== 'LOCATION' || readsRecords(node)) break;
        if (isShared) break;
        return;
      case 'CallExpression':
        if (node.callee.type !== 'Identifier' || !isCalled(node.callee.name, scopes)) break;
        take(node, node.callee.name);
        for (const given of node.arguments) visit(given, scopes);
        return;
      case 'ThrowStatement':
        reading.throws.push({ start: node.argument.start, end: node.argument.end, line: lineOf(node) });
        break;
      case 'ImportExpression':
        throw new Refusal('import is not available', lineOf(node));
      case 'AssignmentExpression':
        assign(node.left, scopes);
        break;
      case 'UpdateExpression':
        assign(node.argument, scopes);
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type !== 'VariableDeclaration') assign(node.left, scopes);
        break;
      default:
    }
    if (isFunction(node)) visitFunction(node, scopes);
    else if (node.type === 'ClassExpression' && node.id) visitBelow(node, [...scopes, new Map([[node.id.name, 1]])]);
    else visitBelow(node, scopes);
  }

  function visitFunction(node: FunctionNode, scopes: readonly Scope[]): void {
    const functionScope = declared(node.body.type === 'BlockStatement' ? node.body.body : []);
    for (const parameter of node.params)
      for (const identifier of namesOf(parameter)) functionScope.set(identifier.name, lineOf(identifier));
    if (node.type === 'FunctionExpression' && node.id) functionScope.set(node.id.name, lineOf(node.id));
    refuseNames(functionScope, SHADOWABLE);
    functionScope.set('arguments', lineOf(node));
    visitBelow(node, [...scopes, functionScope]);
  }

  function refuseNames(functionScope: Scope, allowed: ReadonlySet<string>): void {
    for (const [name, line] of functionScope)
      if (LANGUAGE.has(name) && !allowed.has(name)) throw new Refusal(`${name} has a meaning already`, line);
  }

  function isLanguage(name: string, scopes: readonly Scope[]): boolean {
    return LANGUAGE.has(name) && !scopes.some((scope) => scope.has(name));
  }

  function isCalled(name: string, scopes: readonly Scope[]): boolean {
    return (READERS.has(name) || name === 'AUTH') && isLanguage(name, scopes);
  }

  function refuseUse(name: string, line: number): void {
    if (isShared) throw new Refusal(`shared code may not use ${name}`, line);
    if (READERS.has(name) || name === 'AUTH') throw new Refusal(`${name} can only be called`, line);
  }

  function assign(pattern: AnyNode, scopes: readonly Scope[]): void {
    for (const { name, ...node } of namesOf(pattern)) {
      if (isLanguage(name, scopes)) throw new Refusal(`${name} cannot be assigned`, lineOf(node as AnyNode));
      if (!scopes.some((scope) => scope.has(name)) && !(BUILT_INS as readonly string[]).includes(name))
        reading.undeclared.push(name);
    }
  }

  function take(node: CallExpression, name: string): void {
    const line = lineOf(node);
    if (isShared) throw new Refusal(`shared code may not use ${name}`, line);
    const texts = node.arguments.map((argument) => literal(argument, names.constants));
    if (name === 'AUTH') {
      const [slug, key] = texts;
      if (slug === undefined || key === undefined || texts.length !== 2)
        throw new Refusal('AUTH takes a slug and a key, both as literals', line);
      reading.grants.push({ slug, key, line });
      return;
    }
    const [text] = texts;
    if (text === undefined || texts.length !== 1)
      throw new Refusal(`the path of ${name} must be a literal: it is read before the program runs`, line);
    const [path = '', aggregate, baseTime, interval, ...more] = text.split(';');
    const call = name as Reference['call'];
    if (path.trim() === '') throw new Refusal(`the path of ${name} is empty`, line);
    if (aggregate === undefined) reading.references.push({ call, text, path, line, start: node.start });
    else if (!interval || !baseTime || aggregate === '' || more.length > 0)
      throw new Refusal(`'${text}': an aggregate is written <path>;<AGGREGATE>;<baseTime>;<interval>`, line);
    else
      reading.references.push({
        call,
        text,
        path,
        aggregate: { ...namedAggregate(aggregate), baseTime, interval },
        line,
        start: node.start,
      });
  }
}

/** Reads an aggregate with what stands in parentheses behind its name. */
export function namedAggregate(text: string): { name: string; percentile?: string } {
  const [, name = text, percentile] = /^([^()]*)\(([^()]*)\)$/.exec(text) ?? [];
  return percentile === undefined ? { name } : { name, percentile };
}
