import type { ProgramNode } from '@catchment/contracts/programs';
import { isJsonObject, type JsonObject } from '../../domain/body/rule.ts';
import { nodeConfigs } from '../../nodes/index.ts';
import { nodeView, type ViewDeps, viewedByIds } from '../../views/index.ts';

export type ProgramDeps = Pick<ViewDeps, 'database' | 'names' | 'now' | 'log'>;

/** Attributes that change with data; a program gets those of its inputs with their records. */
const OF_DATA = new Set([
  ...['current', 'previous', 'oldest'].flatMap((edge) =>
    ['Value', 'Time', 'Quality', 'StateId'].map((what) => edge + what),
  ),
  'rawValue',
  'updatedTime',
  'currentStatus',
  'currentAttachmentId',
  'lastCommsAttempt',
  'lastCommsSuccess',
  'totalCommsAttempt',
  'totalCommsSuccess',
  'lastAcquireRecordCount',
]);

/** Reads nodes of one account as programs see them, by id; those that are gone are left out. */
export async function programNodes(
  { database, names, now }: ProgramDeps,
  ownerId: string,
  nodeIds: readonly string[],
): Promise<Map<string, ProgramNode>> {
  if (nodeIds.length === 0) return new Map();
  const configs = await nodeConfigs(database, nodeIds, names);
  const viewed = await viewedByIds(database, ownerId, nodeIds);
  const nodes = new Map<string, ProgramNode>();
  for (const [nodeId, node] of viewed) {
    const config = configs.get(nodeId);
    if (!config) continue;
    // Links to files would open them for whoever sees what the program writes.
    const attributes = settingsOf(nodeView(node, { names, nowMs: now(), urlOf: () => undefined }));
    nodes.set(nodeId, { config, attributes: Buffer.from(JSON.stringify(attributes)) });
  }
  return nodes;
}

const settingsOf = (view: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(view)
      .filter(([name]) => !OF_DATA.has(name))
      .map(([name, value]) => [name, name === 'alarms' && isJsonObject(value) ? withoutStatus(value) : value]),
  );

const withoutStatus = (alarms: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(alarms).map(([type, alarm]) => {
      const { status: _status, ...rest } = alarm as JsonObject;
      return [type, rest];
    }),
  );
