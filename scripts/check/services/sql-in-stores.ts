import path from 'node:path';
import { layerOf, originsOf, PORTS, QUERY, type ServiceFile } from './service-files.ts';
import { type SourceFile, sourceFile } from './source-file.ts';
import { isStatement, isWrite } from './statements.ts';
import { methodOf, textsOf } from './syntax.ts';

/** Packages that write into the tables of a service. */
const WRITERS = /^@catchment\/(?:pg|mail|node-replica)$/;
/** Use cases may take of them the outbox, which messages and mails leave by, how a statement or a mail failed, and what computes. */
const FOR_USE_CASES: Readonly<Record<string, RegExp>> = {
  '@catchment/pg': /^(?:appendOutbox|separately|brokenIndex|Wakeup)$/,
  '@catchment/node-replica': /^newestChanges$/,
  '@catchment/mail': /^(?:appendMails|failureOf|layOut|MailRefused)$/,
};
/** A database has these methods. */
const ASKED = /^(?:query|dedicated)$/;

export function strayStatements({ file, source }: ServiceFile): string[] {
  if (layerOf(file) === 'store') return [];
  const statement = textsOf(source).find(isStatement);
  if (statement) return [`${file} has SQL, which belongs into a store: ${statement.trim().slice(0, 60)}`];
  const layer = layerOf(file);
  const taken = /^(?:domain|usecases|transport)$/.test(layer)
    ? source.imports.find(
        ({ from, name, isType }) =>
          !isType && WRITERS.test(from) && (layer !== 'usecases' || FOR_USE_CASES[from]?.test(name) !== true),
      )
    : undefined;
  if (taken) return [`${file} takes ${taken.name} of ${taken.from}, which is for a store`];
  const asks = source.nodes.some(({ node }) => node.type === 'CallExpression' && ASKED.test(methodOf(node)));
  if (asks) return [`${file} calls query(), which belongs into a store`];
  const changes = source.nodes.some(({ node }) => node.type === 'CallExpression' && methodOf(node) === 'transaction');
  return changes && layer === 'transport' ? [`${file} begins a transaction, which is for a use case`] : [];
}

/** What a query takes must not write either: of stores, and of use cases what is computed alone. */
export async function writingQuery(root: string, { file, source }: ServiceFile): Promise<string[]> {
  if (layerOf(file) !== 'store' || !QUERY.test(file)) return [];
  const reached = new Map([[file, source]]);
  for (const [from, { imports }] of reached)
    for (const { from: named, name, isType } of imports)
      for (const origin of isType ? [] : await originsOf(root, from, named, name))
        if (/^(?:store|usecases)$/.test(layerOf(origin)) && !reached.has(origin))
          reached.set(origin, await sourceFile(path.join(root, origin)));
  return [...reached].flatMap(([each, found]) => {
    if (!writes(each, found)) return [];
    return [each === file ? `${file} is a query, and writes` : `${file} is a query, and takes ${each}, which writes`];
  });
}

/** What packages do with a database is theirs to know; a use case with ports changes something. */
const writes = (file: string, source: SourceFile): boolean =>
  textsOf(source).some(isWrite) ||
  source.imports.some(({ from, isType }) => !isType && WRITERS.test(from)) ||
  (layerOf(file) === 'usecases' && source.imports.some(({ from }) => PORTS.test(from)));
