import type { FindPushSourceResponse } from '@catchment/contracts/nodes';
import type { TransportName } from '@catchment/contracts/transports';
import { notFound } from '@catchment/errors';
import { TRANSPORTS } from '../../domain/classes/transport-fields.ts';
import { nodeConfigs } from '../../nodes/index.ts';
import { templatesRootOf } from '../../templates/index.ts';
import { sourceByKey } from '../store/device-sources-query.ts';
import type { TreeDeps } from './deps.ts';
import { sourceTransport } from './source-transport.ts';

const STATIONS: ReadonlySet<string> = new Set<TransportName>(['TcpServer', 'Meshlium']);
/** A key has both ids of a Meshlium, and its secret. */
const MAX_KEY = 60 + 1 + 60 + 1 + 255;

/**
 * Finds the source that a key of a push transport, or a station, belongs to. A text that cannot be a key is not looked
 * for: keys come from anybody.
 * @throws DomainError not_found also for a source in a template and of a disabled account
 */
export async function findPushSource(
  deps: Pick<TreeDeps, 'database' | 'names'>,
  transport: string,
  key: string,
): Promise<FindPushSourceResponse> {
  const isStation = STATIONS.has(transport);
  const isPush = isStation || (Object.hasOwn(TRANSPORTS, transport) && TRANSPORTS[transport as TransportName].hasKey);
  if (!isPush || key.length === 0 || key.length > MAX_KEY || key.includes('\0')) throw notFound();
  const node = await sourceByKey(deps.database, transport, key, isStation);
  if (!node || node.workspaceId === (await templatesRootOf(deps.database, node.ownerId))) throw notFound();
  const source = (await nodeConfigs(deps.database, [node.nodeId], deps.names)).get(node.nodeId);
  if (!source) throw notFound();
  return { source, transport: sourceTransport(node) };
}
