import type { Scope } from '@catchment/access';
import { type FileEntry, type FileSource, type GetFileSourceRequest, TextParser } from '@catchment/contracts/nodes';
import { parseJsonBody } from '@catchment/json-body';
import { NO_CONTEXT, readValue } from '../../domain/body/rule.ts';
import { PARSER } from '../../domain/classes/attributes.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, type StoredNode } from '../../domain/classes/node.ts';
import { findNode } from '../../nodes/index.ts';
import type { TreeDeps } from './deps.ts';

type Entry = {
  readonly _id: string;
  readonly match: string;
  readonly isRegex: boolean;
  readonly parser?: object;
  readonly acquireTime?: string;
  readonly sampleId?: string;
};

/** Returns the settings by which files of a source are read (contract FileSource). @throws DomainError not_found, permission_denied */
export const getFileSource = async (
  { database }: Pick<TreeDeps, 'database'>,
  scope: Scope,
  { nodeRef, parserJson }: GetFileSourceRequest,
): Promise<FileSource> => {
  const source = fileSource(await findNode(database, scope, nodeRef));
  return parserJson.length === 0 ? source : { ...source, parser: parserOf(readParser(parserJson)) };
};

/** Returns the same as getFileSource, for a node that is read. */
export function fileSource(node: StoredNode): FileSource {
  const { nodeId: sourceId, ownerId, workspaceId, class: cls, name, config } = node;
  const of = (attribute: string) => attributeOf(nodeClass(cls), config, attribute);
  return {
    sourceId,
    ownerId,
    workspaceId,
    class: cls,
    name,
    timezone: String(of('timezone') ?? ''),
    timezoneAdjustForDst: of('timezoneAdjustForDst') === true,
    writeMode: String(of('writeMode') ?? ''),
    parser: parserOf(of('parser') as object | null),
    files: ((of('files') ?? []) as Entry[]).map(fileEntry),
    readMode: String(of('readMode') ?? ''),
    deleteAfterAcquire: of('deleteAfterAcquire') === true,
    converterId: String(of('converterId') ?? ''),
  };
}

const fileEntry = ({ _id, match, isRegex, parser, acquireTime, sampleId }: Entry): FileEntry => ({
  entryId: _id,
  match,
  isRegex,
  parser: parserOf(parser),
  acquireTimeMs: acquireTime === undefined ? undefined : Date.parse(acquireTime),
  sampleId: sampleId ?? '',
});

/** @throws DomainError invalid_argument, as PUT /nodes/:id would */
function readParser(json: Uint8Array): object | null {
  const value = parseJsonBody(json);
  return value === null ? null : (readValue(PARSER, value, 'parser', NO_CONTEXT) as object);
}

/** The stored attributes have the names of the contract. */
const parserOf = (stored: object | null | undefined): TextParser | undefined =>
  stored ? TextParser.fromPartial(stored) : undefined;
