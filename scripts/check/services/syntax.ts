import type { SourceFile, SyntaxNode } from './source-file.ts';

/** All texts of a file, with `$` where a template or a sum has a value, and blanks between those of a list. */
export const textsOf = ({ nodes }: SourceFile): string[] =>
  nodes.flatMap(({ node }) => {
    const text = node.type === 'ArrayExpression' ? listed(node) : textOf(node);
    return text === undefined ? [] : [text];
  });

/** Undefined: no text. */
function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'StringLiteral') return node.value as string;
  if (node.type === 'TemplateLiteral') return (node.quasis as { raw: string }[]).map(({ raw }) => raw).join('$');
  if (node.type === 'ParenthesisExpression') return textOf(node.expression as SyntaxNode);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return;
  const parts = [node.left, node.right].map((part) => textOf(part as SyntaxNode));
  return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? '$').join('');
}

function listed({ elements }: SyntaxNode): string | undefined {
  const texts = (elements as ({ expression: SyntaxNode } | null)[]).map((element) =>
    element ? textOf(element.expression) : undefined,
  );
  return texts.length > 1 && texts.every((text) => text !== undefined) ? texts.join(' ') : undefined;
}

/** The names that a file declares anywhere: these are not those of JavaScript. */
export const boundNames = ({ nodes, imports }: SourceFile): ReadonlySet<string> =>
  new Set([
    ...imports.map(({ local }) => local),
    ...nodes.flatMap(({ node, parent }) => {
      if (node.type === 'AssignmentPatternProperty') return [(node.key as { value: string }).value];
      if (node.type !== 'Identifier') return [];
      const isBound =
        (parent.type === 'VariableDeclarator' && parent.id === node) ||
        (parent.type === 'KeyValuePatternProperty' && parent.value === node) ||
        (parent.type === 'Parameter' && parent.pat === node) ||
        (parent.type === 'ArrowFunctionExpression' && (parent.params as SyntaxNode[]).includes(node)) ||
        (/^(?:FunctionDeclaration|FunctionExpression|ClassDeclaration)$/.test(parent.type) &&
          parent.identifier === node) ||
        parent.type === 'ArrayPattern' ||
        (parent.type === 'AssignmentPattern' && parent.left === node);
      return isBound ? [node.value as string] : [];
    }),
  ]);

/** A thing by its last name: `store` of `deps.store`, which is a field. */
export type Named = { readonly name: string; readonly isField: boolean };

/** No name where it is neither a variable nor a field. */
export function named(node: SyntaxNode): Named {
  const plain = withoutMarks(node);
  if (plain.type === 'MemberExpression') return { name: propertyOf(plain), isField: true };
  return { name: plain.type === 'Identifier' ? (plain.value as string) : '', isField: false };
}

/** The method that is called. */
export function methodOf(node: SyntaxNode): string {
  const callee = withoutMarks(node.callee as SyntaxNode);
  return callee.type === 'MemberExpression' ? propertyOf(callee) : '';
}

function propertyOf({ property }: SyntaxNode): string {
  const named = property as { type: string; value?: string; expression?: { value?: unknown } };
  return named.type === 'Computed' ? String(named.expression?.value ?? '') : (named.value ?? '');
}

/** Without `?.`, `!`, brackets and casts. */
export function withoutMarks(node: SyntaxNode): SyntaxNode {
  if (node.type === 'OptionalChainingExpression') return withoutMarks(node.base as SyntaxNode);
  const inner = /^(?:ParenthesisExpression|TsNonNullExpression|TsAsExpression|TsSatisfiesExpression|AwaitExpression)$/;
  if (!inner.test(node.type)) return node;
  return withoutMarks((node.expression ?? node.argument) as SyntaxNode);
}
