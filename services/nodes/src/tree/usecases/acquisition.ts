import type { GetAcquisitionResponse } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { nodeConfigs, nodesById } from '../../nodes/index.ts';
import { templatesRootOf } from '../../templates/index.ts';
import type { TreeDeps } from './deps.ts';
import { fileSource } from './file-source.ts';
import { sourceTransport } from './source-transport.ts';

/**
 * Returns how a source acquires, with the secrets of its transport and its logger.
 * @throws DomainError not_found also for what is no source, and in templates
 */
export async function getAcquisition(
  deps: Pick<TreeDeps, 'database' | 'names'>,
  ownerId: string,
  sourceId: string,
): Promise<GetAcquisitionResponse> {
  const [node] = await nodesById(deps.database, ownerId, [sourceId]);
  const cls = node && nodeClass(node.class);
  if (!node || !cls || !isSource(cls) || node.workspaceId === (await templatesRootOf(deps.database, ownerId)))
    throw notFound();
  const source = (await nodeConfigs(deps.database, [sourceId], deps.names)).get(sourceId);
  if (!source) throw notFound();
  const { files, parser, ...others } = cls.attributes;
  const attributes = Object.fromEntries(Object.keys(others).map((name) => [name, attributeOf(cls, node.config, name)]));
  return {
    source,
    transport: sourceTransport(node),
    files: files && fileSource(node),
    attributes: JSON.stringify(attributes),
  };
}
