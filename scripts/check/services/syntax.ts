import type { SourceFile, SyntaxNode } from './source-file.ts';

/** All texts of a file, with `$` where a template has a value. */
export const textsOf = ({ nodes }: SourceFile): string[] =>
  nodes.flatMap(({ node }) => {
    if (node.type === 'StringLiteral') return [node.value as string];
    if (node.type !== 'TemplateLiteral') return [];
    return [(node.quasis as { raw: string }[]).map(({ raw }) => raw).join('$')];
  });

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
