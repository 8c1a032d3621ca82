import { createHash } from 'node:crypto';
import {
  AlarmConfig,
  ChartConfig,
  type CoordinateFollower,
  type NodeConfig,
  type SeriesConfig,
  type StateConfig,
  ValueType,
} from '@catchment/contracts/nodes';
import type { AlarmType } from '@catchment/query';
import type { StoredState } from '@catchment/states';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { type AlarmsConfig, alarmConfig } from '../../domain/classes/alarm-config.ts';
import { type ChartSubject, chartView, type ChartConfig as StoredChart } from '../../domain/classes/chart.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import {
  attributeOf,
  displayTypeOf,
  isEnabled,
  type StoredNode,
  statesOf,
  transformAttributes,
  transportOf,
} from '../../domain/classes/node.ts';
import { isSource, type NodeClass, type ValueFamily } from '../../domain/classes/node-class.ts';
import { programRef, sharedCodeDigest } from './program-ref.ts';
import { ratingRef } from './rating-message.ts';

const VALUE_TYPE: Record<ValueFamily, ValueType> = {
  NUMBER: ValueType.VALUE_TYPE_NUMBER,
  TEXT: ValueType.VALUE_TYPE_TEXT,
  TIME: ValueType.VALUE_TYPE_TIME,
  COORDINATES: ValueType.VALUE_TYPE_COORDINATES,
};

/** The place of a node. */
export type Place = {
  /** Full path, docs/reference/node-tree.md#common-attributes. */
  readonly path: string;
  readonly isInTemplate: boolean;
  /** These Locations take their coordinates from the data source. */
  readonly followers?: readonly CoordinateFollower[];
};

/**
 * Makes the configuration of a node for other services (contract NodeConfig). From templates they get disabled sources and
 * series that take no records, so nothing of it collects or raises alarms (docs/reference/templates.md#what-a-template-is).
 */
export function nodeConfig(
  node: StoredNode,
  { path, isInTemplate, followers = [] }: Place,
  names: ClassNames,
): NodeConfig {
  const cls = nodeClass(node.class);
  return {
    nodeId: node.nodeId,
    ownerId: node.ownerId,
    workspaceId: node.workspaceId,
    parentId: node.parentId ?? '',
    class: node.class,
    name: node.name,
    customId: node.customId ?? '',
    sourceId: sourceIdOf(cls, node),
    path,
    revision: node.revision,
    isActive: node.isActive,
    series: cls.family && {
      ...seriesConfig(cls, node, cls.family, names),
      ...(isInTemplate && { writable: false, rating: undefined, program: undefined }),
    },
    source: isSource(cls)
      ? {
          ...sourceConfig(cls, node),
          followers: [...followers],
          ...(isInTemplate && { isEnabled: false, deviceKey: '', program: undefined, followers: [] }),
        }
      : undefined,
    alarms: cls.alarms.flatMap((type) => alarmOf(type, node.config.alarms ?? {})),
    sharedCodeDigest: sharedCodeDigest(node.config),
  };
}

/** Returns the node whose id chooses the partition: the data source of a parameter, else the node itself. */
export const sourceIdOf = (cls: NodeClass, node: { nodeId: string; parentId: string | null }): string =>
  cls.kind === 'parameter' && node.parentId !== null ? node.parentId : node.nodeId;

function seriesConfig(
  cls: NodeClass,
  { config, seriesKey }: StoredNode,
  family: ValueFamily,
  names: ClassNames,
): SeriesConfig {
  const { statesType, states, hysteresis } = statesOf(config);
  const displayType = displayTypeOf(config);
  return {
    valueType: VALUE_TYPE[family],
    ...transformAttributes(config),
    isDirection: attributeOf(cls, config, 'isDirection') === true,
    units: String(attributeOf(cls, config, 'units') ?? ''),
    format: String(attributeOf(cls, config, 'format') ?? ''),
    displayType,
    statesType,
    states: states.map(stateConfig),
    hysteresis,
    seriesKey: seriesKey ?? '',
    chart: cls.specials.includes('chart') ? chartOf({ family, displayType }, config.chart ?? {}, names) : undefined,
    writable: cls.isComputed !== true,
    rating: ratingRef(config),
    program: programRef(config),
  };
}

const AUTOMATIC_OFFSET = -1;
const MAX_AUTOMATIC_OFFSET_SECONDS = 300;

/** Sources with the same interval do not all begin at once; each has the same offset for ever. */
const automaticOffset = (nodeId: string, intervalSeconds: number): number =>
  Number.parseInt(createHash('sha256').update(nodeId).digest('hex').slice(0, 12), 16) %
  Math.min(intervalSeconds, MAX_AUTOMATIC_OFFSET_SECONDS);

/** The attributes of the public object have the names of the contract. */
function chartOf(subject: ChartSubject, stored: StoredChart, names: ClassNames) {
  const view = chartView(subject, stored, names);
  return ChartConfig.fromPartial({ ...view, type: stored.type ?? 'LineChart' });
}

const stateConfig = (state: StoredState): StateConfig => ({
  stateId: state._id,
  name: state.name,
  threshold: typeof state.threshold === 'number' ? state.threshold : undefined,
  textThreshold: typeof state.threshold === 'string' ? state.threshold : undefined,
  occurrences: state.occurrences,
  isAlarm: state.isAlarm,
  notify: state.notify,
  categoryId: state.categoryId ?? '',
  messageAway: state.messageAway,
  messageTowards: state.messageTowards,
  qualityCode: state.qualityCode ?? undefined,
});

function sourceConfig(cls: NodeClass, { nodeId, config }: StoredNode) {
  const transport = transportOf(config);
  const intervalSeconds = Number(attributeOf(cls, config, 'intervalSeconds'));
  const offset = Number(attributeOf(cls, config, 'intervalOffsetSeconds'));
  return {
    isEnabled: isEnabled(config),
    timezone: String(attributeOf(cls, config, 'timezone')),
    timezoneAdjustForDst: attributeOf(cls, config, 'timezoneAdjustForDst') === true,
    scheduleType: String(attributeOf(cls, config, 'scheduleType')),
    transportClass: transport.class,
    deviceKey: transport.deviceId ?? '',
    writeMode: String(attributeOf(cls, config, 'writeMode')),
    lineSeries: String(attributeOf(cls, config, 'lineSeries') ?? ''),
    quietMaxSeconds: Number(attributeOf(cls, config, 'quietMaxSeconds')),
    program: programRef(config),
    intervalSeconds,
    intervalOffsetSeconds: offset === AUTOMATIC_OFFSET ? automaticOffset(nodeId, intervalSeconds) : offset,
    retryAttempts: Number(attributeOf(cls, config, 'retryAttempts')),
    retryDelaySeconds: Number(attributeOf(cls, config, 'retryDelaySeconds')),
    ...dataWindow(config),
  };
}

/** Returns nothing for an alarm that is as it is by default. */
const alarmOf = (type: AlarmType, stored: AlarmsConfig): AlarmConfig[] =>
  stored[type] ? [AlarmConfig.fromPartial({ ...alarmConfig(type, stored), type })] : [];

/** Records outside of it are left out, whether or not the alarm about them is enabled (docs/reference/alarms.md#conditions). */
function dataWindow({ alarms }: StoredNode['config']) {
  const { excludeBeforeSeconds: before, excludeAfterSeconds: after } = alarmConfig('dataAlarm', alarms ?? {}) ?? {};
  return {
    excludeBeforeSeconds: typeof before === 'number' ? before : undefined,
    excludeAfterSeconds: typeof after === 'number' ? after : undefined,
  };
}
