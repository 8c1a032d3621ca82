import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { chartView } from '../../domain/classes/chart.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, displayTypeOf, statesOf, transportOf } from '../../domain/classes/node.ts';
import { isRoot, isSource, type NodeClass } from '../../domain/classes/node-class.ts';
import { maskSecrets } from '../../domain/classes/secrets.ts';
import { transportView } from '../../domain/classes/transport.ts';
import { alarmsView } from './alarms-view.ts';
import { type FileUrl, fileView } from './file-view.ts';
import { locationStates, statesView, valuesView } from './series-view.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** The public document of a node (docs/reference/node-tree.md#common-attributes); absent attributes are left out. */
export function nodeView(node: ViewedNode, names: ClassNames, nowMs: number, urlOf: FileUrl): JsonObject {
  const cls = nodeClass(node.class);
  return withoutNulls({
    _class: names.full(cls.name),
    _id: node.nodeId,
    name: node.name,
    ownerId: node.ownerId,
    parentId: node.parentId,
    workspaceId: isRoot(cls) ? null : node.workspaceId,
    customId: node.customId,
    createdTime: formatIsoMs(node.createdMs),
    isActive: node.isActive,
    templateId: node.instanceId === node.nodeId ? node.templateNodeId : null,
    templateNodeId: node.templateNodeId,
    ...(cls.specials.includes('isPublic') && { isPublic: node.config.isPublic === true, publicId: node.publicId }),
    ...tableView(cls, node, names),
    ...(cls.kind === 'attachment' && fileView(node, urlOf)),
    ...(isSource(cls) && sourceView(node, names)),
    currentAttachmentId: node.currentAttachmentId,
    ...(cls.family && seriesView(cls, node, names)),
    ...(cls.alarms.length > 0 && { alarms: alarmsView(cls, node, names, nowMs) }),
  });
}

function tableView(cls: NodeClass, node: ViewedNode, names: ClassNames): JsonObject {
  const result: Record<string, unknown> = {};
  for (const name in cls.attributes) {
    const value = attributeOf(cls, node.config, name);
    if (value === null) continue;
    const { rule, view } = cls.attributes[name]!;
    result[name] = view ? view(value as never, names) : maskSecrets(rule, value);
  }
  if (cls.attributes.series) result.series = node.seriesKey;
  return result;
}

function sourceView({ config, counters, shown }: ViewedNode, names: ClassNames): JsonObject {
  const time = (ms: number | null) => (ms === null ? null : formatIsoMs(ms));
  return {
    currentStatus: shown.status,
    transport: transportView(transportOf(config), names),
    lastCommsAttempt: time(counters.lastAttemptMs),
    lastCommsSuccess: time(counters.lastSuccessMs),
    totalCommsAttempt: counters.totalAttempts,
    totalCommsSuccess: counters.totalSuccesses,
    lastAcquireRecordCount: counters.lastRecordCount,
  };
}

function seriesView(cls: NodeClass, node: ViewedNode, names: ClassNames): JsonObject {
  const { config } = node;
  const displayType = displayTypeOf(config);
  const { statesType, states, hysteresis } = statesOf(config);
  const isLocation = cls.kind === 'location';
  return {
    displayType,
    ...valuesView(node),
    ...(statesType !== '' && { statesType, states: statesView(states, names), hysteresis }),
    ...(isLocation && { statesType: 'RANGE', states: locationStates(node.nodeId, names) }),
    ...(cls.specials.includes('chart') && {
      chart: chartView({ family: cls.family ?? 'NUMBER', displayType }, config.chart ?? {}, names),
    }),
  };
}
