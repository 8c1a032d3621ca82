import type { Scope } from '@catchment/access';
import { type FileSource, TextParser } from '@catchment/contracts/nodes';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import { findNode } from '../../nodes/index.ts';
import type { TreeDeps } from './deps.ts';

type Entry = { readonly match: string; readonly isRegex: boolean; readonly parser?: object };

/** The settings by which files of a source are read (contract FileSource). @throws DomainError not_found, permission_denied */
export async function getFileSource(
  { database }: Pick<TreeDeps, 'database'>,
  scope: Scope,
  nodeRef: string,
): Promise<FileSource> {
  const { nodeId: sourceId, ownerId, workspaceId, class: name, config } = await findNode(database, scope, nodeRef);
  const of = (attribute: string) => attributeOf(nodeClass(name), config, attribute);
  return {
    sourceId,
    ownerId,
    workspaceId,
    class: name,
    timezone: String(of('timezone') ?? ''),
    timezoneAdjustForDst: of('timezoneAdjustForDst') === true,
    writeMode: String(of('writeMode') ?? ''),
    parser: parserOf(of('parser') as object | null),
    files: ((of('files') ?? []) as Entry[]).map(({ match, isRegex, parser }) => ({
      match,
      isRegex,
      parser: parserOf(parser),
    })),
  };
}

/** The stored attributes have the names of the contract. */
const parserOf = (stored: object | null | undefined): TextParser | undefined =>
  stored ? TextParser.fromPartial(stored) : undefined;
