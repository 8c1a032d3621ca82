import { type Caller, PERMISSIONS, permissionsIn } from '@catchment/access';
import { STATES_TYPES } from '@catchment/states';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { eitherOf, OBJECT_ID, shownSchema } from '../../domain/body/rule-schema.ts';
import { chartSchema, chartView } from '../../domain/classes/chart.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, displayTypeOf, statesOf, transportOf } from '../../domain/classes/node.ts';
import { isControl, isRoot, isSource, type NodeClass, type ValueFamily } from '../../domain/classes/node-class.ts';
import { maskSecrets } from '../../domain/classes/secrets.ts';
import { transportSchema, transportView } from '../../domain/classes/transport.ts';
import { alarmsSchema, alarmsView } from './alarms-view.ts';
import { FILE_SCHEMAS, type FileUrl, fileView } from './file-view.ts';
import {
  controlSchema,
  controlView,
  locationStates,
  shownStateSchema,
  statesView,
  valuesSchemas,
  valuesView,
} from './series-view.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** A node is shown with this besides itself. */
type ViewContext = {
  readonly names: ClassNames;
  readonly nowMs: number;
  readonly urlOf: FileUrl;
  /** The `permissions` of this caller are shown; undefined = none are. */
  readonly caller?: Caller | undefined;
};

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
function ownView(cls: NodeClass, node: ViewedNode, { names, urlOf, caller }: ViewContext): JsonObject {
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
    revision: node.revision,
    permissions: caller ? permissionsIn(caller, node.workspaceId) : null,
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

type Schemas = Readonly<Record<string, JsonObject>>;

const TIME: JsonObject = { type: 'string', format: 'date-time' };
const TEXT: JsonObject = { type: 'string' };
const COUNT: JsonObject = { type: 'integer', minimum: 0 };

/** JSON Schemas of what `nodeView` shows of a class: of every node, and of those that have it. */
export function viewSchemas(cls: NodeClass, names: ClassNames): { readonly always: Schemas; readonly maybe: Schemas } {
  const isRootClass = isRoot(cls);
  const table = Object.entries(cls.attributes);
  const schemasOf = (entries: typeof table) =>
    Object.fromEntries(entries.map(([name, { rule }]) => [name, shownSchema(rule)]));
  const { family } = cls;
  return {
    always: {
      _class: { type: 'string', enum: [names.full(cls.name)] },
      _id: OBJECT_ID,
      name: TEXT,
      ownerId: OBJECT_ID,
      ...(!isRootClass && { parentId: OBJECT_ID, workspaceId: OBJECT_ID }),
      createdTime: TIME,
      isActive: { type: 'boolean' },
      revision: { ...COUNT, description: 'Rises with each change of its configuration. Read-only; see `If-Match`.' },
      ...(cls.specials.includes('isPublic') && { isPublic: { type: 'boolean' } }),
      ...schemasOf(table.filter(([, { default: fallback }]) => fallback !== null)),
      ...(cls.kind === 'attachment' && pick(FILE_SCHEMAS, ['fileSize', 'mimeType'])),
      ...(isSource(cls) && {
        currentStatus: { ...TEXT, description: 'What it does. Read-only.' },
        transport: eitherOf(cls.transports.map((one) => transportSchema(one, names))),
        ...COUNTERS,
      }),
      ...(cls.specials.includes('states') && family && statesSchemas(family, names)),
      ...(cls.kind === 'location' && statesSchemas('COORDINATES', names)),
      ...(cls.specials.includes('chart') && {
        chart: eitherOf([chartSchema('LineChart', names), chartSchema('ColumnChart', names)]),
      }),
      ...(cls.alarms.length > 0 && { alarms: alarmsSchema(cls, names) }),
    },
    maybe: {
      customId: TEXT,
      permissions: PERMISSIONS_SHOWN,
      ...(!isRootClass && {
        templateId: { ...OBJECT_ID, description: 'Root of an instance: the template that it follows.' },
        templateNodeId: { ...OBJECT_ID, description: 'Node of an instance: the node of the template that it follows.' },
      }),
      ...(cls.specials.includes('isPublic') && { publicId: PUBLIC_ID }),
      ...schemasOf(table.filter(([, { default: fallback }]) => fallback === null)),
      ...(cls.kind === 'attachment' && pick(FILE_SCHEMAS, ['fileName', 'fileUrl', 'filePreviewUrl'])),
      ...(isSource(cls) && { lastCommsAttempt: TIME, lastCommsSuccess: TIME, ...LOGGER }),
      ...(cls.kind === 'attachmentSource' && {
        currentAttachmentId: { ...OBJECT_ID, description: 'The newest attachment.' },
      }),
      ...(family && valuesSchemas(family)),
      ...(isControl(cls) && family && { controlValue: controlSchema(family) }),
    },
  };
}

const PERMISSIONS_SHOWN: JsonObject = {
  type: 'array',
  items: { type: 'string', enum: PERMISSIONS },
  description: 'What the caller may do with it. Read-only; in lists where `attr` names it.',
};
const PUBLIC_ID: JsonObject = {
  ...TEXT,
  description: 'Names the public page, once there is one. Read-only, but null makes a new one.',
  examples: ['q8d2k0v7w3m1x5z'],
};
const COUNTERS: Schemas = { totalCommsAttempt: COUNT, totalCommsSuccess: COUNT, lastAcquireRecordCount: COUNT };
const LOGGER: Schemas = {
  model: { ...TEXT, description: 'Of the logger, read in each session. Read-only.', examples: ['CR1000'] },
  firmwareVersion: { ...TEXT, description: 'As `model`.', examples: ['CR1000.Std.32.05'] },
  progName: { ...TEXT, description: 'The program that the logger runs, as `model`.', examples: ['CPU:weir.cr1'] },
};

const pick = (schemas: Schemas, wanted: readonly string[]): Schemas =>
  Object.fromEntries(Object.entries(schemas).filter(([name]) => wanted.includes(name)));

const statesSchemas = (family: ValueFamily, names: ClassNames): Schemas => ({
  statesType: { type: 'string', enum: family === 'COORDINATES' ? ['RANGE'] : STATES_TYPES },
  states: { type: 'array', items: family === 'TIME' ? {} : shownStateSchema(family, names) },
  ...(family !== 'COORDINATES' && { hysteresis: { type: 'number' } }),
});

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
