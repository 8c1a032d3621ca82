import { invalid } from '@catchment/errors';
import {
  ATTRIBUTES_OF_OTHER_CLASSES,
  type Attributes,
  LOCATION,
  METADATA,
  NUMBER_POINT,
  SOURCE,
  TEXT_PARSER,
  TEXT_POINT,
  TIME_POINT,
  WORKSPACE,
} from './attributes.ts';
import type { JsonObject } from './rule.ts';

export type ValueFamily = 'NUMBER' | 'TEXT' | 'TIME' | 'COORDINATES';
export type NodeKind =
  | 'workspace'
  | 'group'
  | 'location'
  | 'source'
  | 'processor'
  | 'attachmentSource'
  | 'parameter'
  | 'chart'
  | 'dashboard'
  | 'report';

/** Attributes with rules of their own beside the table: each has its module in this folder. */
export type SpecialAttribute = 'transport' | 'states' | 'chart' | 'isPublic' | 'alarms';

/** What a class of nodes is, as data: a later class is a row. */
export type NodeClass = {
  /** As stored and sent between services: 'point.NumberPoint'. */
  readonly name: string;
  readonly kind: NodeKind;
  /** Of series: parameters and Locations. */
  readonly family?: ValueFamily;
  readonly attributes: Attributes;
  readonly specials: readonly SpecialAttribute[];
  readonly alarms: readonly string[];
  /** Sources: classes of transports that may bring their data, without prefix. */
  readonly transports: readonly string[];
  /** Rules between attributes of a whole configuration. @throws DomainError invalid_argument */
  readonly checkTogether?: (config: JsonObject) => void;
};

/** Of everything that collects or computes data: it has a status, counters and a transport. */
export const isSource = ({ kind }: Pick<NodeClass, 'kind'>): boolean =>
  kind === 'source' || kind === 'processor' || kind === 'attachmentSource';

/** Files come by any of these (semantics 12.4). */
const FILE_TRANSPORTS = [
  'None',
  'FtpDownload',
  'HttpDownload',
  'HttpUpload',
  'Email',
  'Sms',
  'Mqtt',
  'FtpUpload',
  'SftpUpload',
  'S3',
  'Dropbox',
  'TcpCallback',
  'Scout',
] as const;

const SOURCE_ALARMS = [
  'communicationsAlarm',
  'configurationAlarm',
  'dataAlarm',
  'outdatedAlarm',
  'overloadAlarm',
] as const;
const SERIES_ALARMS = ['qualityAlarm', 'stateAlarm'] as const;

const row = (
  name: string,
  kind: NodeKind,
  attributes: Attributes,
  specials: readonly SpecialAttribute[] = [],
  more: Partial<Pick<NodeClass, 'family' | 'alarms' | 'transports' | 'checkTogether'>> = {},
): NodeClass => ({
  name,
  kind,
  attributes: { ...METADATA, ...attributes },
  specials,
  alarms: [],
  transports: [],
  ...more,
});

const CLASSES: readonly NodeClass[] = [
  row('Workspace', 'workspace', WORKSPACE),
  row('Group', 'group', {}),
  row('location.Location', 'location', LOCATION, ['alarms'], { family: 'COORDINATES', alarms: SERIES_ALARMS }),
  row('source.data.TextParser', 'source', { ...SOURCE, ...TEXT_PARSER }, ['transport', 'alarms'], {
    alarms: SOURCE_ALARMS,
    transports: FILE_TRANSPORTS,
  }),
  row('source.data.Jts', 'source', SOURCE, ['transport', 'alarms'], {
    alarms: SOURCE_ALARMS,
    transports: FILE_TRANSPORTS,
  }),
  row('point.NumberPoint', 'parameter', NUMBER_POINT, ['states', 'chart', 'isPublic', 'alarms'], {
    family: 'NUMBER',
    alarms: SERIES_ALARMS,
  }),
  row('point.TextPoint', 'parameter', TEXT_POINT, ['states', 'chart', 'isPublic', 'alarms'], {
    family: 'TEXT',
    alarms: SERIES_ALARMS,
  }),
  row('point.TimePoint', 'parameter', TIME_POINT, ['chart', 'isPublic', 'alarms'], {
    family: 'TIME',
    alarms: SERIES_ALARMS,
  }),
];

const BY_NAME = new Map(CLASSES.map((one) => [one.name, one]));

/** Class of a stored node. */
export function nodeClass(name: string): NodeClass {
  const found = BY_NAME.get(name);
  if (!found) throw new Error(`stored node of unknown class ${name}`);
  return found;
}

export const ALL_CLASSES: readonly NodeClass[] = CLASSES;

/** Public class names ⇄ stored ones. */
export type ClassNames = {
  readonly full: (name: string) => string;
  readonly stored: (full: unknown) => string | undefined;
  /** `io.svc` */
  readonly namespace: string;
};

/** @param namespace setting CLASS_NAMESPACE, for example `io.svc` */
export function classNames(namespace: string): ClassNames {
  const prefix = `${namespace}.models.node.`;
  return {
    namespace,
    full: (name) => prefix + name,
    stored: (full) => (typeof full === 'string' && full.startsWith(prefix) ? full.slice(prefix.length) : undefined),
  };
}

/** Class of a node to be made. @throws DomainError invalid_argument naming the classes that exist */
export function classToCreate(full: unknown, names: ClassNames): NodeClass {
  const found = BY_NAME.get(names.stored(full) ?? '');
  if (found) return found;
  const known = CLASSES.map(({ name }) => names.full(name)).join(', ');
  throw invalid('INVALID_CLASS', `_class: must be one of ${known}`);
}

const STATE_ATTRIBUTES = ['states', 'statesType', 'hysteresis'] as const;

/** Names of all attributes that a body may set on some class. */
export const UPDATABLE_NAMES: ReadonlySet<string> = new Set([
  'name',
  'customId',
  'transport',
  'chart',
  'isPublic',
  'alarms',
  ...STATE_ATTRIBUTES,
  ...CLASSES.flatMap(({ attributes }) => Object.keys(attributes)),
  ...ATTRIBUTES_OF_OTHER_CLASSES,
]);

/** Whether a body may set the attribute on nodes of this class. Time and Location refuse states themselves. */
export function isUpdatable(cls: NodeClass, attribute: string): boolean {
  if (attribute === 'name' || attribute === 'customId') return true;
  if ((STATE_ATTRIBUTES as readonly string[]).includes(attribute)) return cls.family !== undefined;
  return attribute in cls.attributes || (cls.specials as readonly string[]).includes(attribute);
}
