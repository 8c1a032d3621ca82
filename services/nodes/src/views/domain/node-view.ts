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
import { controlView, locationStates, statesView, valuesView } from './series-view.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** What a node is shown with besides itself. */
export type ViewContext = { readonly names: ClassNames; readonly nowMs: number; readonly urlOf: FileUrl };

/** The public document of a node (docs/reference/node-tree.md#common-attributes); absent attributes are left out. */
export function nodeView(node: ViewedNode, context: ViewContext): JsonObject {
  const cls = nodeClass(node.class);
  return {
    ...ownView(cls, node, context),
    ...(cls.specials.includes('chart') && { chart: chartOf(cls, node, context) }),
    ...(cls.alarms.length > 0 && { alarms: alarmsView(cls, node, context.names, context.nowMs) }),
  };
}

/** `nodeView` as JSON text. Chart and alarms that are as by default are written once for all nodes of a class: they are most of it. */
export function nodeText(node: ViewedNode, context: ViewContext): string {
  const cls = nodeClass(node.class);
  const { config, alarms } = node;
  const parts = [JSON.stringify(ownView(cls, node, context)).slice(0, -1)];
  if (cls.specials.includes('chart')) {
    const key = config.chart ? undefined : `${cls.name} chart ${displayTypeOf(config)}`;
    parts.push(
      ',"chart":',
      shared(key, context.names, () => chartOf(cls, node, context)),
    );
  }
  if (cls.alarms.length > 0) {
    const isDefault = !config.alarms && Object.keys(alarms).length === 0 && !cls.alarms.includes('outdatedAlarm');
    const key = isDefault ? `${cls.name} alarms` : undefined;
    parts.push(
      ',"alarms":',
      shared(key, context.names, () => alarmsView(cls, node, context.names, context.nowMs)),
    );
  }
  return `${parts.join('')}}`;
}

/** Some texts for each class. */
const written = new WeakMap<ClassNames, Map<string, string>>();

/** @param key of a text that is the same for all nodes with this key; undefined = it is this node's alone */
function shared(key: string | undefined, names: ClassNames, view: () => JsonObject): string {
  if (key === undefined) return JSON.stringify(view());
  const texts = written.getOrInsertComputed(names, () => new Map());
  return texts.getOrInsertComputed(key, () => JSON.stringify(view()));
}

/** All but chart and alarms. */
function ownView(cls: NodeClass, node: ViewedNode, { names, urlOf }: ViewContext): JsonObject {
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
    ...(cls.kind === 'attachmentSource' && { currentAttachmentId: node.newestAttachmentId }),
    ...(cls.kind === 'location' && node.newestAttachmentId && { imageAttachmentId: node.newestAttachmentId }),
    ...(cls.family && seriesView(cls, node, names)),
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

function sourceView({ config, counters, logger, shown }: ViewedNode, names: ClassNames): JsonObject {
  const time = (ms: number | null) => (ms === null ? null : formatIsoMs(ms));
  return {
    currentStatus: shown.status,
    transport: transportView(transportOf(config), names),
    lastCommsAttempt: time(counters.lastAttemptMs),
    lastCommsSuccess: time(counters.lastSuccessMs),
    totalCommsAttempt: counters.totalAttempts,
    totalCommsSuccess: counters.totalSuccesses,
    lastAcquireRecordCount: counters.lastRecordCount,
    ...logger,
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
    controlValue: controlView(node),
    ...(statesType !== '' && { statesType, states: statesView(states, names), hysteresis }),
    ...(isLocation && { statesType: 'RANGE', states: locationStates(node.nodeId, names) }),
  };
}

const chartOf = (cls: NodeClass, { config }: ViewedNode, { names }: ViewContext): JsonObject =>
  chartView({ family: cls.family ?? 'NUMBER', displayType: displayTypeOf(config) }, config.chart ?? {}, names);
