import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import type { DeviceSource } from '../../registry/index.ts';
import { type AcquiredSource, type Acquisition, sessionKind } from '../../schedules/index.ts';

const PROCESSOR = 'source.data.Processor';

/** Returns what devices needs to know of a node; undefined: the node is no source that acquires. */
export function acquiredSource({ source, ...node }: NodeConfig): AcquiredSource | undefined {
  if (!source || node.class === PROCESSOR) return undefined;
  return {
    sourceId: node.nodeId,
    ownerId: node.ownerId,
    workspaceId: node.workspaceId,
    sourceClass: node.class,
    name: node.name,
    transport: source.transportClass,
    deviceKey: source.deviceKey || null,
    isEnabled: source.isEnabled,
    scheduleType: source.scheduleType,
    schedule: { intervalMs: 1_000 * (source.intervalSeconds || 3_600), offsetMs: 1_000 * source.intervalOffsetSeconds },
    writeMode: source.writeMode,
    nodeRevision: node.revision,
  };
}

/**
 * Returns a source that somebody wants to acquire now.
 * @throws DomainError failed_precondition where the source cannot be asked, or is disabled
 */
export function askedSource(node: NodeConfig): AcquiredSource {
  const source = acquiredSource(node);
  if (source && !source.isEnabled)
    throw refused('SOURCE_DISABLED', 'id: the source is disabled; set isEnabled to true first');
  if (!source || sessionKind(source) === 'NONE')
    throw refused('NOT_ACQUIRABLE', 'id: the source cannot be asked for its data');
  return source;
}

/** Returns a source as historic knows it. */
export const writtenSource = (source: Acquisition): DeviceSource => ({
  sourceId: source.sourceId,
  ownerId: source.ownerId,
  workspaceId: source.workspaceId,
  sourceClass: source.sourceClass,
  name: source.name,
  customId: '',
  isEnabled: source.isEnabled,
  scheduleType: source.scheduleType,
  writeMode: source.writeMode,
  revision: source.nodeRevision,
});

/** An acquisition is impossible in the state that the source is in. */
export const refused = (
  reason: 'NOT_ACQUIRABLE' | 'SOURCE_DISABLED' | 'SOURCE_REMOTE' | 'DEVICE_NOT_CONNECTED',
  message: string,
): DomainError => new DomainError('failed_precondition', reason, message);
