import { layerOf, type ServiceFile } from './service-files.ts';
import type { SyntaxNode } from './source-file.ts';
import { boundNames, methodOf, named, withoutMarks } from './syntax.ts';

/** What a name of JavaScript may be asked; what is not said here is allowed. */
const ASKED: Readonly<Record<string, (of: SyntaxNode, parent: SyntaxNode) => boolean>> = {
  Date: (of, parent) => isOfATime(of, parent) || isField(of, parent, /^(?:UTC|parse)$/),
  Math: (of, parent) => isField(of, parent, /^(?!random$)/),
  Temporal: (of, parent) => isField(of, parent, /^(?!Now$)/),
};
/** The time, chance, settings, timers and the world. */
const REFUSED = new Set([
  'AbortSignal',
  'EventSource',
  'Function',
  'WebSocket',
  'Worker',
  'XMLHttpRequest',
  'console',
  'crypto',
  'eval',
  'fetch',
  'global',
  'globalThis',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);
/** Functions of pure libraries that open files or addresses. */
const OPENS = /From(?:File|Url|Stream|Blob)$|WriteFile$/;
const CONTRACTS = /^@catchment\/contracts(?:\/|$)/;
const SERVICE = /(?:Service|Client|Definition)$/;
const OURS = /^(?:node:|@catchment\/)/;
const CODED = /^(?:encode|decode|fromPartial|fromJSON|toJSON|create)$/;

/** `domain/` decides by its arguments: the time, what is random and messages that are read come to it, and it calls nobody. */
export function impureDomain({ file, source }: ServiceFile): string[] {
  if (layerOf(file) !== 'domain') return [];
  const messages = source.imports.filter(({ from, isType }) => CONTRACTS.test(from) && !isType);
  const calls = messages.filter(({ name }) => SERVICE.test(name));
  const local = new Set(messages.map((message) => message.local));
  const declared = boundNames(source);
  const asked = source.nodes.flatMap(({ node, parent }) => {
    if (node.type !== 'Identifier' || isTypeOrName(node, parent)) return [];
    const name = node.value as string;
    if (declared.has(name)) return [];
    return REFUSED.has(name) || ASKED[name]?.(node, parent) === false ? [name] : [];
  });
  const whole = source.imports.filter(({ from, name, isType }) => name === '*' && !isType && OURS.test(from));
  const opens = source.imports.filter(({ name, isType }) => !isType && OPENS.test(name));
  const steps = source.nodes.flatMap(({ node }) => {
    const method = node.type === 'CallExpression' ? methodOf(node) : '';
    const isNow = /^format(?:ToParts)?$/.test(method) && (node.arguments as unknown[]).length === 0;
    return isNow || method === 'transaction' ? [method] : [];
  });
  const coded = source.nodes.flatMap(({ node }) => {
    if (node.type === 'VariableDeclarator' && node.init && (node.id as SyntaxNode).type === 'ObjectPattern') {
      const { name } = named(node.init as SyntaxNode);
      const keys = (node.id as unknown as { properties: { key?: { value?: string } }[] }).properties;
      return local.has(name) && keys.some(({ key }) => CODED.test(key?.value ?? '')) ? [name] : [];
    }
    if (node.type !== 'MemberExpression') return [];
    const { name } = named(node.object as SyntaxNode);
    return local.has(name) && CODED.test(named(node).name) ? [name] : [];
  });
  return [
    ...[...whole, ...opens].map(
      ({ name, from }) => `${file} imports ${name} of ${from}: domain/ takes decisions by name`,
    ),
    ...steps.map((method) => `${file} calls ${method}(): the time, and what is stored, are passed to domain/`),
    ...calls.map(({ name }) => `${file} imports ${name}: domain/ calls no service`),
    ...[...new Set(asked)].map((name) => `${file} uses ${name}: the time, and what is random, are passed to domain/`),
    ...[...new Set(coded)].map((name) => `${file} reads or writes ${name}: who calls domain/ does`),
  ];
}

/** `new Date(ms)`, or `instanceof Date`. */
function isOfATime(of: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === 'BinaryExpression') return parent.operator === 'instanceof';
  if (parent.type !== 'NewExpression' || parent.callee !== of) return false;
  const [first] = (parent.arguments ?? []) as { spread: unknown; expression: SyntaxNode }[];
  return first !== undefined && !first.spread && named(first.expression).name !== 'undefined';
}

const isField = (of: SyntaxNode, parent: SyntaxNode, name: RegExp): boolean =>
  parent.type === 'MemberExpression' &&
  parent.object === of &&
  (parent.property as SyntaxNode).type === 'Identifier' &&
  name.test(named(withoutMarks(parent)).name);

/** A type, a property or a key of that name is none of them. */
const isTypeOrName = (node: SyntaxNode, parent: SyntaxNode): boolean =>
  /^(?:TsTypeReference|TsQualifiedName|TsPropertySignature|KeyValueProperty|TsExpressionWithTypeArguments)$/.test(
    parent.type,
  )
    ? parent.value !== node
    : parent.type === 'MemberExpression' && parent.property === node;
