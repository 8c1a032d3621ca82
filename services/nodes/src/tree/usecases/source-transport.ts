import type { SourceTransport } from '@catchment/contracts/nodes';
import { transportSettings } from '@catchment/contracts/transports';
import { type StoredNode, transportOf } from '../../domain/classes/node.ts';

/** Returns the transport of a source, with its secrets. */
export function sourceTransport({ nodeId, revision, config }: StoredNode): SourceTransport {
  const { class: name, ...fields } = transportOf(config);
  return { sourceId: nodeId, revision, settings: transportSettings(name, fields) };
}
