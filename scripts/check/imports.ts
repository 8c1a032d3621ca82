import { parse } from '@swc/core';

/**
 * The module names that a TypeScript source imports: import and export declarations (types too), `import()` with a
 * fixed name. dependency-cruiser does not know `using` and TypeScript 7 has no parser to lend it.
 */
export async function importsOf(source: string): Promise<string[]> {
  const module = await parse(source, { syntax: 'typescript', target: 'esnext' });
  const names = new Set<string>();
  collect(module.body, names);
  return [...names];
}

type AstNode = { type?: unknown; source?: unknown; callee?: unknown; arguments?: unknown };

const DECLARATIONS = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration']);

function collect(node: unknown, names: Set<string>): void {
  if (Array.isArray(node)) {
    for (const child of node) collect(child, names);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, source, callee, arguments: args } = node as AstNode;
  if (DECLARATIONS.has(String(type))) addText(source, names);
  if (type === 'CallExpression' && (callee as AstNode | undefined)?.type === 'Import' && Array.isArray(args)) {
    addText((args[0] as { expression?: unknown } | undefined)?.expression, names);
  }
  for (const child of Object.values(node)) collect(child, names);
}

function addText(literal: unknown, names: Set<string>): void {
  const { type, value } = (literal ?? {}) as { type?: unknown; value?: unknown };
  if (type === 'StringLiteral' && typeof value === 'string') names.add(value);
}
