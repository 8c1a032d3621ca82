import { layerOf, type ServiceFile, serviceOf } from './service-files.ts';
import type { SyntaxNode } from './source-file.ts';
import { type Named, named, withoutMarks } from './syntax.ts';

const PORTS = /(?:^|\/)ports\.ts$/;
/** Types of parts of a type. */
const UTILITY = /^(?:Pick|Omit|Partial|Readonly)$/;
/** What a thing is called that holds rows. */
const STORE_NAME = /^(?:stores?|stored|\w+Stores?)$/;

/** A file of transport hands a store to use cases, and calls nothing of it. */
export function storesAsked({ file, source }: ServiceFile, stores: ReadonlyMap<string, Stores>): string[] {
  if (!/^(?:transport|clients|runner)$/.test(layerOf(file))) return [];
  const { types, fields } = stores.get(serviceOf(file)) ?? NO_STORES;
  const taken = new Set(
    source.imports.flatMap(({ from, name, local }) => (PORTS.test(from) && types.has(name) ? [local] : [])),
  );
  const variables = new Set(
    source.nodes.flatMap(({ node, parent }) => [
      ...heldAs(node, parent, taken),
      ...takenOut(node).filter((name) => fields.has(name)),
    ]),
  );
  const asked = source.nodes
    .flatMap(({ node }) => askedIn(node))
    .find(({ name, isField }) => STORE_NAME.test(name) || (isField ? fields : variables).has(name));
  return asked ? [`${file} asks ${asked.name}, which is for a use case`] : [];
}

/** The name of a parameter, a variable or a field whose type is one of `types`, or a part of one. */
function heldAs(node: SyntaxNode, parent: SyntaxNode, types: ReadonlySet<string>): string[] {
  if (node.type !== 'TsTypeAnnotation' || !namesType(node.typeAnnotation as SyntaxNode, types)) return [];
  const holder = (parent.type === 'TsPropertySignature' ? parent.key : parent) as { type: string; value: string };
  return holder.type === 'Identifier' ? [holder.value] : [];
}

function namesType(type: SyntaxNode, types: ReadonlySet<string>): boolean {
  if (type.type === 'TsIntersectionType') return (type.types as SyntaxNode[]).some((each) => namesType(each, types));
  if (type.type !== 'TsTypeReference') return false;
  const { value } = type.typeName as unknown as { value: string };
  const [part] = (type.typeParams as { params: SyntaxNode[] } | null)?.params ?? [];
  return types.has(value) || (UTILITY.test(value) && part !== undefined && namesType(part, types));
}

/** The ports of a service that its stores implement, and the fields in which its files hold one. */
type Stores = { readonly types: ReadonlySet<string>; readonly fields: ReadonlySet<string> };
const NO_STORES: Stores = { types: new Set(), fields: new Set() };

export function storesOf(files: readonly ServiceFile[]): Map<string, Stores> {
  const services = Map.groupBy(files, ({ file }) => serviceOf(file));
  return new Map([...services].map(([service, own]) => [service, storesIn(own)]));
}

function storesIn(files: readonly ServiceFile[]): Stores {
  const acting = actingTypes(files);
  const ports = ({ source }: ServiceFile) => source.imports.filter(({ from }) => PORTS.test(from));
  const implemented = files.filter(({ file }) => layerOf(file) === 'store').flatMap(ports);
  const types = new Set(implemented.map(({ name }) => name).filter((name) => acting.has(name)));
  const fields = files.flatMap((each) => {
    const taken = new Set(ports(each).flatMap(({ name, local }) => (types.has(name) ? [local] : [])));
    if (PORTS.test(each.file)) for (const name of types) taken.add(name);
    return each.source.nodes.flatMap(({ node, parent }) =>
      parent.type === 'TsPropertySignature' ? heldAs(node, parent, taken) : [],
    );
  });
  return { types, fields: new Set(fields) };
}

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

/** The thing whose method is called, or whose methods are taken out. */
function askedIn(node: SyntaxNode): Named[] {
  if (node.type === 'CallExpression') {
    const callee = withoutMarks(node.callee as SyntaxNode);
    return callee.type === 'MemberExpression' ? [named(callee.object as SyntaxNode)] : [];
  }
  return isTakingOut(node) ? [named(node.init as SyntaxNode)] : [];
}

/** The fields that a declaration takes out of a thing: `const { store } = deps`. */
function takenOut(node: SyntaxNode): string[] {
  if (!isTakingOut(node)) return [];
  const { properties } = node.id as unknown as { properties: { key?: { value?: string } }[] };
  return properties.flatMap(({ key }) => (key?.value === undefined ? [] : [key.value]));
}

const isTakingOut = (node: SyntaxNode): boolean =>
  node.type === 'VariableDeclarator' &&
  (node.id as SyntaxNode).type === 'ObjectPattern' &&
  node.init !== null &&
  named(node.init as SyntaxNode).name !== '';
