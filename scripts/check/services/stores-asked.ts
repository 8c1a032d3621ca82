import { ENTRY_POINT, layerOf, PORTS, type ServiceFile, serviceOf } from './service-files.ts';
import type { SyntaxNode } from './source-file.ts';
import { type Named, named } from './syntax.ts';

/** Types of parts of a type. */
const UTILITY = /^(?:Pick|Omit|Partial|Readonly|Required|NonNullable|ReadonlyArray|Array|Promise)$/;
/** What a thing is called that holds rows. */
const STORE_NAME = /^(?:stores?|stored|\w+Stores?)$/;

/** A file of transport hands a store to use cases, and looks for nothing in it. */
export function storesAsked({ file, source }: ServiceFile, stores: ReadonlyMap<string, Stores>): string[] {
  if (layerOf(file) !== 'transport') return [];
  const { types, fields } = stores.get(serviceOf(file)) ?? NO_STORES;
  const isField = (name: string) => fields.has(name) || STORE_NAME.test(name);
  const taken = typesIn({ file, source }, types);
  for (const field of fields) taken.add(`.${field}`);
  const variables = new Set(
    source.nodes.flatMap(({ node, parent }) => [...heldAs(node, parent, taken), ...namedAnew(node, parent, isField)]),
  );
  const isStore = ({ name, isField: isOne }: Named) =>
    variables.has(name) || (isOne ? isField(name) : STORE_NAME.test(name));
  for (const { node } of source.nodes)
    if (node.type === 'VariableDeclarator' && node.init && isStore(named(node.init as SyntaxNode)))
      for (const name of boundIn(node.id as SyntaxNode)) variables.add(name);
  const asked = source.nodes.flatMap(({ node }) => lookedInto(node)).find(isStore);
  return asked ? [`${file} asks ${asked.name}, which is for a use case`] : [];
}

/** The names by which a file knows types of stores: as they are imported, and what it makes of them. */
function typesIn({ source }: ServiceFile, types: ReadonlySet<string>): Set<string> {
  const taken = new Set(
    source.imports.flatMap(({ from, name, local }) =>
      (PORTS.test(from) || ENTRY_POINT.test(from)) && types.has(name) ? [local] : [],
    ),
  );
  for (const { node } of source.nodes) {
    if (node.type !== 'TsTypeAliasDeclaration' && node.type !== 'TsInterfaceDeclaration') continue;
    const made = typeParts(node).some((part) => taken.has(part)) || namesType(node.typeAnnotation as SyntaxNode, taken);
    if (made) taken.add((node.id as { value: string }).value);
  }
  for (const { from, name, local } of source.imports)
    if (name === '*' && PORTS.test(from)) for (const type of types) taken.add(`${local}.${type}`);
  return taken;
}

/** The name of a parameter, a variable or a field whose type is one of `types`, or made of one. */
function heldAs(node: SyntaxNode, parent: SyntaxNode, types: ReadonlySet<string>): string[] {
  if (node.type !== 'TsTypeAnnotation' || !namesType(node.typeAnnotation as SyntaxNode, types)) return [];
  const isMember = /^(?:TsPropertySignature|ClassProperty|PrivateProperty)$/.test(parent.type);
  const holder = (isMember ? parent.key : parent) as { type: string; value?: string };
  return holder.type === 'Identifier' || holder.type === 'PrivateName' ? [holder.value ?? ''] : [];
}

function namesType(type: SyntaxNode | undefined, types: ReadonlySet<string>): boolean {
  switch (type?.type) {
    case 'TsIntersectionType':
    case 'TsUnionType':
      return (type.types as SyntaxNode[]).some((each) => namesType(each, types));
    case 'TsArrayType':
      return namesType(type.elemType as SyntaxNode, types);
    case 'TsTypeOperator':
    case 'TsParenthesizedType':
      return namesType(type.typeAnnotation as SyntaxNode, types);
    case 'TsIndexedAccessType': {
      const { literal } = type.indexType as unknown as { literal?: { value?: unknown } };
      return typeof literal?.value === 'string' && (STORE_NAME.test(literal.value) || types.has(`.${literal.value}`));
    }
    case 'TsTypeReference': {
      const name = nameOfType(type.typeName as SyntaxNode);
      const parts = (type.typeParams as { params: SyntaxNode[] } | null)?.params ?? [];
      return types.has(name) || (UTILITY.test(name) && parts.some((part) => namesType(part, types)));
    }
    default:
      return false;
  }
}

/** `Store`, or `ports.Store`. */
const nameOfType = (name: SyntaxNode): string =>
  name.type === 'TsQualifiedName'
    ? `${nameOfType(name.left as SyntaxNode)}.${nameOfType(name.right as SyntaxNode)}`
    : (name.value as string);

/** The variables that a pattern gives to fields with a store: `rows` of `{ store: rows }`. */
function namedAnew(node: SyntaxNode, parent: SyntaxNode, isField: (name: string) => boolean): string[] {
  if (node.type !== 'ObjectPattern') return [];
  // An answer is no store, whatever its parts are called.
  if (parent.type === 'VariableDeclarator' && parent.init && named(parent.init as SyntaxNode).name === '') return [];
  return (node.properties as SyntaxNode[]).flatMap((property) => {
    const key = (property.key as { value?: string } | undefined)?.value ?? '';
    return isField(key)
      ? boundIn(property.type === 'KeyValuePatternProperty' ? (property.value as SyntaxNode) : property)
      : [];
  });
}

/** The variable of a plain name; a pattern is looked into elsewhere. */
function boundIn(pattern: SyntaxNode): string[] {
  if (pattern.type === 'Identifier') return [pattern.value as string];
  if (pattern.type === 'AssignmentPatternProperty') return [(pattern.key as { value: string }).value];
  return pattern.type === 'AssignmentPattern' ? boundIn(pattern.left as SyntaxNode) : [];
}

/** The thing whose field or method is used, or whose parts are taken out. */
function lookedInto(node: SyntaxNode): Named[] {
  if (node.type === 'MemberExpression') return [named(node.object as SyntaxNode)];
  const isTakenApart = node.type === 'VariableDeclarator' && (node.id as SyntaxNode).type === 'ObjectPattern';
  return isTakenApart && node.init ? [named(node.init as SyntaxNode)] : [];
}

/** These layers bring ports too: what they bring is no store. */
const BRINGERS = /^(?:clients|runner)$/;

/** The ports of a service that its stores bring, and the fields in which its files hold one. */
type Stores = { readonly types: ReadonlySet<string>; readonly fields: ReadonlySet<string> };
const NO_STORES: Stores = { types: new Set(), fields: new Set() };

export function storesOf(files: readonly ServiceFile[]): Map<string, Stores> {
  const services = Map.groupBy(files, ({ file }) => serviceOf(file));
  return new Map([...services].map(([service, own]) => [service, storesIn(own)]));
}

function storesIn(files: readonly ServiceFile[]): Stores {
  const acting = actingTypes(files);
  const ports = ({ source }: ServiceFile) => source.imports.filter(({ from }) => PORTS.test(from));
  const brought = new Set(
    files
      .filter(({ file }) => BRINGERS.test(layerOf(file)))
      .flatMap(ports)
      .map(({ name }) => name),
  );
  const declared = files.filter(({ file }) => PORTS.test(file)).flatMap(({ source }) => typeNames(source));
  const types = new Set(declared.filter((name) => acting.has(name) && !brought.has(name) && !name.endsWith('Deps')));
  const fields = files.flatMap((each) => {
    const taken = new Set(ports(each).flatMap(({ name, local }) => (types.has(name) ? [local] : [])));
    if (PORTS.test(each.file)) for (const name of types) taken.add(name);
    return each.source.nodes.flatMap(({ node, parent }) =>
      parent.type === 'TsPropertySignature' ? heldAs(node, parent, taken) : [],
    );
  });
  return { types, fields: new Set(fields) };
}

const typeNames = ({ nodes }: ServiceFile['source']): string[] =>
  nodes.flatMap(({ node }) =>
    node.type === 'TsInterfaceDeclaration' || node.type === 'TsTypeAliasDeclaration'
      ? [(node.id as { value: string }).value]
      : [],
  );

/** The names of types with methods, or made of one that has: the others are data. */
function actingTypes(files: readonly ServiceFile[]): Set<string> {
  const parts = new Map<string, Set<string>>();
  for (const { source } of files)
    for (const { node } of source.nodes) {
      if (node.type !== 'TsInterfaceDeclaration' && node.type !== 'TsTypeAliasDeclaration') continue;
      const { value } = node.id as { value: string };
      parts.set(value, new Set([...(parts.get(value) ?? []), ...typeParts(node)]));
    }
  const acting = new Set<string>([METHOD]);
  for (let before = 0; before < acting.size; ) {
    before = acting.size;
    for (const [name, has] of parts) if ([...has].some((part) => acting.has(part))) acting.add(name);
  }
  return acting;
}

const METHOD = '()';

/** The types that a type names at its top, and `()` for a method or a function. */
function typeParts(declaration: SyntaxNode): string[] {
  const body = (declaration.typeAnnotation ?? declaration.body) as SyntaxNode;
  const bases = ((declaration.extends ?? []) as { expression: { value: string } }[]).map(
    ({ expression }) => expression.value,
  );
  return [...bases, ...partsOfType(body)];
}

function partsOfType(type: SyntaxNode): string[] {
  if (type.type === 'TsFunctionType') return [METHOD];
  if (type.type === 'TsIntersectionType') return (type.types as SyntaxNode[]).flatMap(partsOfType);
  if (type.type === 'TsTypeReference') {
    const { value } = type.typeName as unknown as { value: string };
    const inner = ((type.typeParams as { params: SyntaxNode[] } | null)?.params ?? []).flatMap(partsOfType);
    return UTILITY.test(value) ? inner : [value];
  }
  const members = (type.members ?? (type.type === 'TsInterfaceBody' ? type.body : [])) as SyntaxNode[];
  return members.flatMap((member) => {
    if (member.type === 'TsMethodSignature') return [METHOD];
    const annotation = (member.typeAnnotation as { typeAnnotation?: SyntaxNode } | null)?.typeAnnotation;
    return annotation?.type === 'TsFunctionType' ? [METHOD] : [];
  });
}
