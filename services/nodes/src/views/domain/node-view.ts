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
  type Put,
  putValues,
  shownStateSchema,
  statesView,
  valuesSchemas,
} from './series-view.ts';
import type { ViewedNode } from './viewed-node.ts';

/** A node is shown with this besides itself. */
type ViewContext = {
  readonly names: ClassNames;
  readonly nowMs: number;
  readonly urlOf: FileUrl;
  /** The `permissions` of this caller are shown; undefined = none are. */
  readonly caller?: Caller | undefined;
};

/** Returns the public document of a node (docs/reference/node-tree.md#common-attributes); absent attributes are left out. */
export function nodeView(node: ViewedNode, context: ViewContext): JsonObject {
  const cls = nodeClass(node.class);
  const view: Record<string, unknown> = {};
  const put = (name: string, value: unknown) => {
    view[name] = value;
  };
  putOwn(put, cls, node, context);
  if (cls.specials.includes('chart')) view.chart = chartOf(cls, node, context);
  if (cls.alarms.length > 0) view.alarms = alarmsView(cls, node, context.names, context.nowMs);
  return view;
}

/**
 * `nodeView` as JSON text, without the object: lists are of 50 000 nodes. Chart and alarms that are as by default are written once for all
 * nodes of a class: they are most of it.
 */
export function nodeText(node: ViewedNode, context: ViewContext): string {
  const cls = nodeClass(node.class);
  const { config, alarms } = node;
  let text = '';
  const put: Put = (name, value, isPlain) => {
    text += isPlain ? `,"${name}":"${value}"` : `,"${name}":${jsonText(value)}`;
  };
  putOwn(put, cls, node, context);
  if (cls.specials.includes('chart')) {
    const key = config.chart ? undefined : `${cls.name} chart ${displayTypeOf(config)}`;
    text += `,"chart":${shared(key, context.names, () => chartOf(cls, node, context))}`;
  }
  if (cls.alarms.length > 0) {
    const isDefault = !config.alarms && Object.keys(alarms).length === 0 && !cls.alarms.includes('outdatedAlarm');
    const key = isDefault ? `${cls.name} alarms` : undefined;
    text += `,"alarms":${shared(key, context.names, () => alarmsView(cls, node, context.names, context.nowMs))}`;
  }
  return `{${text.slice(1)}}`;
}

const jsonText = (value: unknown): string =>
  typeof value === 'boolean' || Number.isFinite(value) ? String(value) : JSON.stringify(value);

/** Some texts for each class. */
const written = new WeakMap<ClassNames, Map<string, string>>();

/** @param key of a text that is the same for all nodes with this key; undefined = it is this node's alone */
function shared(key: string | undefined, names: ClassNames, view: () => JsonObject): string {
  if (key === undefined) return JSON.stringify(view());
  const texts = written.getOrInsertComputed(names, () => new Map());
  return texts.getOrInsertComputed(key, () => JSON.stringify(view()));
}

/** Stored where the image of a Location was chosen; the newest of its source goes before it. */
const IMAGE = 'imageAttachmentId';

/** All but chart and alarms. */
function putOwn(put: Put, cls: NodeClass, node: ViewedNode, { names, urlOf, caller }: ViewContext): void {
  const plain = (name: string, text: string | null) => {
    if (text !== null) put(name, text, true);
  };
  const all = (view: JsonObject) => {
    for (const name in view) if (view[name] !== null && view[name] !== undefined) put(name, view[name]);
  };
  plain('_class', names.full(cls.name));
  plain('_id', node.nodeId);
  put('name', node.name);
  plain('ownerId', node.ownerId);
  plain('parentId', node.parentId);
  if (!isRoot(cls)) plain('workspaceId', node.workspaceId);
  if (node.customId !== null) put('customId', node.customId);
  plain('createdTime', formatIsoMs(node.createdMs));
  put('isActive', node.isActive);
  put('revision', node.revision);
  if (caller) put('permissions', permissionsIn(caller, node.workspaceId));
  if (node.instanceId === node.nodeId) plain('templateId', node.templateNodeId);
  plain('templateNodeId', node.templateNodeId);
  if (cls.specials.includes('isPublic')) {
    put('isPublic', node.config.isPublic === true);
    if (node.publicId !== null) put('publicId', node.publicId);
  }
  putTable(put, cls, node, names);
  if (cls.kind === 'attachment') all(fileView(node, urlOf));
  if (isSource(cls)) all(sourceView(node, names));
  if (cls.kind === 'attachmentSource') plain('currentAttachmentId', node.newestAttachmentId);
  if (cls.kind === 'location' && !node.config[IMAGE]) plain(IMAGE, node.newestAttachmentId);
  if (cls.family) putSeries(put, cls, node, names);
}

type Schemas = Readonly<Record<string, JsonObject>>;

const TIME: JsonObject = { type: 'string', format: 'date-time' };
const TEXT: JsonObject = { type: 'string' };
const COUNT: JsonObject = { type: 'integer', minimum: 0 };

/** Returns JSON Schemas of what `nodeView` shows of a class: of every node, and of those that have it. */
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
        transport: eitherOf(cls.transports.map((transport) => transportSchema(transport, names))),
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

function putTable(put: Put, cls: NodeClass, node: ViewedNode, names: ClassNames): void {
  for (const name in cls.attributes) {
    const value = attributeOf(cls, node.config, name);
    if (value === null || name === 'series') continue;
    const { rule, view } = cls.attributes[name]!;
    const isReplaced = name === IMAGE && cls.kind === 'location' && node.newestAttachmentId !== null;
    const shown = isReplaced ? node.newestAttachmentId : view ? view(value as never, names) : maskSecrets(rule, value);
    if (shown !== null && shown !== undefined) put(name, shown);
  }
  if (cls.attributes.series && node.seriesKey !== null) put('series', node.seriesKey);
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

function putSeries(put: Put, cls: NodeClass, node: ViewedNode, names: ClassNames): void {
  const { config } = node;
  const { statesType, states, hysteresis } = statesOf(config);
  if (!cls.attributes.displayType) put('displayType', displayTypeOf(config));
  putValues(put, node);
  const control = controlView(node);
  if (control !== null) put('controlValue', control);
  if (cls.kind === 'location') {
    put('statesType', 'RANGE');
    put('states', locationStates(node.nodeId, names));
  } else if (statesType !== '') {
    put('statesType', statesType);
    put('states', statesView(states, names));
    put('hysteresis', hysteresis);
  }
}

const chartOf = (cls: NodeClass, { config }: ViewedNode, { names }: ViewContext): JsonObject =>
  chartView({ family: cls.family ?? 'NUMBER', displayType: displayTypeOf(config) }, config.chart ?? {}, names);
