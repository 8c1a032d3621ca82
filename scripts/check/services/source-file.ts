import { readFile } from 'node:fs/promises';
import { type Identifier, type Module, type Node, parse } from '@swc/core';

/** A file takes this name from another, or gives it on; `*` is all of them, and nothing where the file is only run. */
export type Import = {
  readonly from: string;
  readonly name: string;
  readonly local: string;
  readonly isType: boolean;
};

/** A syntax tree's node, as far as checks look at it: its fields by their names. */
export type SyntaxNode = Node & { readonly [field: string]: unknown };

export type SourceFile = {
  readonly imports: readonly Import[];
  /** What `import()` names, for values and types; empty where it is computed. */
  readonly dynamicImports: readonly string[];
  /** The exported values, and the files that each is made of; none where it is this file's own. `*` stands for `export *`. */
  readonly exports: ReadonlyMap<string, readonly string[]>;
  /** All nodes, each with the one that holds it. */
  readonly nodes: readonly { readonly node: SyntaxNode; readonly parent: SyntaxNode }[];
};

const read = new Map<string, Promise<SourceFile>>();

/** The file as the compiler's parser reads it; what was read in this process is kept. */
export function sourceFile(file: string): Promise<SourceFile> {
  const known = read.get(file);
  if (known) return known;
  const found = readFile(file, 'utf8').then(parsed);
  read.set(file, found);
  return found;
}

async function parsed(text: string): Promise<SourceFile> {
  const module = await parse(text, { syntax: 'typescript', target: 'esnext' });
  const nodes = [...nodesOf(module)];
  const scope = scopeOf(module.body);
  return {
    imports: scope.imports,
    dynamicImports: nodes.flatMap(({ node }) => dynamicImport(node)),
    exports: new Map(module.body.flatMap((item) => exportsOf(item, scope))),
    nodes,
  };
}

/** A name that is given on is taken too. */
function importsOf(item: Module['body'][number]): Import[] {
  if (item.type === 'ExportAllDeclaration') return [{ from: item.source.value, name: '*', local: '', isType: false }];
  if (item.type === 'ExportNamedDeclaration' && item.source) {
    const from = item.source.value;
    return item.specifiers.map((specifier) =>
      specifier.type === 'ExportSpecifier'
        ? { from, name: specifier.orig.value, local: '', isType: item.typeOnly || specifier.isTypeOnly }
        : { from, name: '*', local: '', isType: item.typeOnly },
    );
  }
  if (item.type !== 'ImportDeclaration') return [];
  const from = item.source.value;
  if (item.specifiers.length === 0 && !item.typeOnly) return [{ from, name: '', local: '', isType: false }];
  return item.specifiers.map((specifier) => {
    const local = specifier.local.value;
    if (specifier.type === 'ImportNamespaceSpecifier') return { from, name: '*', local, isType: item.typeOnly };
    if (specifier.type === 'ImportDefaultSpecifier') return { from, name: 'default', local, isType: item.typeOnly };
    const name = specifier.imported?.value ?? local;
    return { from, name, local, isType: item.typeOnly || specifier.isTypeOnly };
  });
}

const dynamicImport = (node: SyntaxNode): string[] => {
  if (node.type === 'TsImportType') return [(node.argument as { value: string }).value];
  if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'Import') return [];
  const [named] = node.arguments as { expression: { type: string; value: string } }[];
  return [named?.expression.type === 'StringLiteral' ? named.expression.value : ''];
};

/** Values only: types bind nobody to a layer. */
function exportsOf(item: Item, scope: Scope): [string, string[]][] {
  if (item.type === 'ExportAllDeclaration') return [['*', [item.source.value]]];
  if (item.type === 'ExportNamedDeclaration') {
    if (item.typeOnly) return [];
    return item.specifiers.flatMap((specifier): [string, string[]][] => {
      // `export * as name from`.
      if (specifier.type !== 'ExportSpecifier')
        return [[(specifier as unknown as { name: Identifier }).name.value, [item.source?.value ?? '']]];
      if (specifier.isTypeOnly) return [];
      const name = specifier.orig.value;
      return [[specifier.exported?.value ?? name, item.source ? [item.source.value] : givenBy(name, scope)]];
    });
  }
  return item.type === 'ExportDeclaration' ? declaredNames(item).map((name) => [name, givenBy(name, scope)]) : [];
}

/** What stands at the top of a file: its imports, and its declarations by their names. */
type Scope = { readonly imports: readonly Import[]; readonly declared: ReadonlyMap<string, Node> };
type Item = Module['body'][number];

function scopeOf(body: readonly Item[]): Scope {
  const declared = new Map(
    body.flatMap((item) => declaredNames(item).map((name) => [name, partOf(item, name)] as const)),
  );
  return { imports: body.flatMap(importsOf), declared };
}

function declaredNames(item: Item): string[] {
  const declaration = item.type === 'ExportDeclaration' ? item.declaration : item;
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) =>
      [...nodesOf(id)].flatMap(({ node }) =>
        node.type === 'Identifier' ? [(node as unknown as Identifier).value] : [],
      ),
    );
  return declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration'
    ? [declaration.identifier.value]
    : [];
}

/** The declaration of a name, without those beside it. */
function partOf(item: Item, name: string): Node {
  const declaration = item.type === 'ExportDeclaration' ? item.declaration : item;
  if (declaration.type !== 'VariableDeclaration') return declaration;
  return declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.value === name) ?? declaration;
}

/** A bundle gives away each of its parts: where one is a store's, so is the bundle. */
function givenBy(name: string, scope: Scope): string[] {
  const files = filesOf(name, scope);
  const { init } = (scope.declared.get(name) ?? {}) as { init?: Node | null };
  const stored = init?.type === 'ObjectExpression' ? files.filter((file) => file.includes('/store/')) : [];
  return stored.length > 0 ? stored : files;
}

/** The files that a value of this file is made of: the one that it is imported from, or all that its declaration names. */
function filesOf(name: string, scope: Scope, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const imported = scope.imports.find(({ local, isType }) => local === name && !isType);
  if (imported) return [imported.from];
  const declared = scope.declared.get(name);
  return declared ? [...new Set(namesIn(declared).flatMap((used) => filesOf(used, scope, seen)))] : [];
}

/** The values that a declaration names; `b` of `a.b` is none. */
const namesIn = (declared: Node): string[] =>
  [...nodesOf(declared)].flatMap(({ node, parent }) => {
    const isProperty = parent.type === 'MemberExpression' && parent.property === node;
    return node.type === 'Identifier' && !isProperty ? [(node as unknown as Identifier).value] : [];
  });

function* nodesOf(root: Node): Generator<{ node: SyntaxNode; parent: SyntaxNode }> {
  const waiting = [{ node: root as SyntaxNode, parent: root as SyntaxNode }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const value of Object.values(next.node))
      for (const inner of [value].flat())
        if (inner !== null && typeof inner === 'object') {
          const isNode = 'type' in inner;
          waiting.push({ node: inner as SyntaxNode, parent: isNode ? next.node : next.parent });
        }
  }
}
