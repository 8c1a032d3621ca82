import { layerOf, type ServiceFile } from './service-files.ts';
import type { SyntaxNode } from './source-file.ts';
import { named, withoutMarks } from './syntax.ts';

/** What names the time, chance and everything else, and what may be asked of each; the others are refused in biome.json. */
const ASKED: Readonly<Record<string, (of: SyntaxNode, in_: SyntaxNode) => boolean>> = {
  Date: (of, parent) => isOfATime(of, parent) || isField(of, parent, /^(?:UTC|parse)$/),
  Math: (of, parent) => isField(of, parent, /^(?!random$)/),
  Temporal: (of, parent) => isField(of, parent, /^(?!Now$)/),
  globalThis: () => false,
  eval: () => false,
  Function: () => false,
};
const CONTRACTS = /^@catchment\/contracts(?:\/|$)/;
const SERVICE = /(?:Service|Client|Definition)$/;
const CODED = /^(?:encode|decode|fromPartial|fromJSON|toJSON|create)$/;

/** `domain/` decides by its arguments: the time, what is random and messages that are read come to it, and it calls nobody. */
export function impureDomain({ file, source }: ServiceFile): string[] {
  if (layerOf(file) !== 'domain') return [];
  const messages = source.imports.filter(({ from, isType }) => CONTRACTS.test(from) && !isType);
  const calls = messages.filter(({ name }) => name === '*' || SERVICE.test(name));
  const local = new Set(messages.map((message) => message.local));
  const asked = source.nodes.flatMap(({ node, parent }) => {
    const allowed = node.type === 'Identifier' ? ASKED[node.value as string] : undefined;
    return allowed && !isTypeOrName(node, parent) && !allowed(node, parent) ? [node.value as string] : [];
  });
  const coded = source.nodes.flatMap(({ node }) => {
    if (node.type !== 'MemberExpression') return [];
    const { name } = named(node.object as SyntaxNode);
    return local.has(name) && CODED.test(named(node).name) ? [name] : [];
  });
  return [
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
