import type { SourceTransport } from '@catchment/contracts/nodes';
import { transportSettings } from '@catchment/contracts/transports';
import { invalid } from '@catchment/errors';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type StoredNode, transportOf } from '../../domain/classes/node.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { nodesById } from '../../nodes/index.ts';
import { templatesRootOf } from '../../templates/index.ts';
import type { TreeDeps } from './deps.ts';

const MAX_SOURCES = 1_000;

/**
 * Transports of sources of an account, with their secrets. Nodes that are no source, or lie in a template, are left out.
 * @throws DomainError invalid_argument for too many
 */
export async function sourceTransports(
  { database }: Pick<TreeDeps, 'database'>,
  ownerId: string,
  sourceIds: readonly string[],
): Promise<SourceTransport[]> {
  if (sourceIds.length > MAX_SOURCES)
    throw invalid('INVALID_ARGUMENT', `sourceIds: must have at most ${MAX_SOURCES} entries`);
  const templatesRoot = await templatesRootOf(database, ownerId);
  const nodes = await nodesById(database, ownerId, sourceIds);
  return nodes
    .filter((node) => isSource(nodeClass(node.class)) && node.workspaceId !== templatesRoot)
    .map(sourceTransport);
}

/** The transport of a source, with its secrets. */
export function sourceTransport({ nodeId, revision, config }: StoredNode): SourceTransport {
  const { class: name, ...fields } = transportOf(config);
  return { sourceId: nodeId, revision, settings: transportSettings(name, fields) };
}
