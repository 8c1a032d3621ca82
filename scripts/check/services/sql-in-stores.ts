import path from 'node:path';
import { layerOf, originsOf, QUERY, type ServiceFile } from './service-files.ts';
import { type SourceFile, sourceFile } from './source-file.ts';
import { isStatement, isWrite } from './statements.ts';
import { methodOf, textsOf } from './syntax.ts';

export function strayStatements({ file, source }: ServiceFile): string[] {
  if (layerOf(file) === 'store') return [];
  const statement = textsOf(source).find(isStatement);
  if (statement) return [`${file} has SQL, which belongs into a store: ${statement.trim().slice(0, 60)}`];
  const asks = source.nodes.some(({ node }) => node.type === 'CallExpression' && methodOf(node) === 'query');
  return asks ? [`${file} calls query(), which belongs into a store`] : [];
}

/** What a query takes of stores must not write either. */
export async function writingQuery(root: string, { file, source }: ServiceFile): Promise<string[]> {
  if (layerOf(file) !== 'store' || !QUERY.test(file)) return [];
  const reached = new Map([[file, source]]);
  for (const [from, { imports, exports }] of reached) {
    const taken = imports.filter(({ isType }) => !isType).map(({ from: named, name }) => ({ named, name }));
    const given = [...exports].flatMap(([name, files]) => files.map((named) => ({ named, name })));
    for (const { named, name } of [...taken, ...given])
      for (const origin of await originsOf(root, from, named, name))
        if (layerOf(origin) === 'store' && !reached.has(origin))
          reached.set(origin, await sourceFile(path.join(root, origin)));
  }
  return [...reached].flatMap(([each, found]) => {
    if (!writes(found)) return [];
    return [each === file ? `${file} is a query, and writes` : `${file} is a query, and takes ${each}, which writes`];
  });
}

const writes = (source: SourceFile): boolean =>
  textsOf(source).some(isWrite) ||
  source.imports.some(
    ({ from, name, isType }) => !isType && from === '@catchment/pg' && /^(?:appendOutbox|\*)$/.test(name),
  );
