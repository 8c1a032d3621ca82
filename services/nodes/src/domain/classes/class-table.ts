import { TRANSPORT_KINDS, TRANSPORT_NAMES, type TransportName } from '@catchment/contracts/transports';
import { invalid } from '@catchment/errors';
import { alarmTypesOf } from '@catchment/query';
import type { ClassNames } from '../body/class-names.ts';
import {
  ATTACHMENT,
  ATTRIBUTES_OF_OTHER_CLASSES,
  type Attributes,
  LOCATION,
  METADATA,
  NUMBER_POINT,
  OVERRIDES,
  TEXT_POINT,
  TIME_POINT,
  WORKSPACE,
} from './attributes.ts';
import {
  checkDisplacement,
  checkHistoricChart,
  checkWindRose,
  DISPLACEMENT,
  HISTORIC_CHART,
  WIND_ROSE,
} from './chart-attributes.ts';
import { DASHBOARD } from './dashboard-attributes.ts';
import {
  isControl,
  isRoot,
  type NodeClass,
  type NodeKind,
  type SpecialAttribute,
  type ValueFamily,
} from './node-class.ts';
import {
  checkControl,
  NUMBER_CONTROL,
  PROCESS_PARAMETER,
  PROCESSOR,
  RATING,
  TEXT_CONTROL,
  TIME_CONTROL,
} from './processing-attributes.ts';
import { REPORT } from './report-attributes.ts';
import {
  ATTACHMENT_SOURCE,
  CONVERTER,
  checkProcessor,
  JTS_SOURCE,
  LOGGER,
  MODBUS,
  PAK_BUS,
  PROCESSOR_SOURCE,
  TEXT_PARSER_SOURCE,
} from './source-attributes.ts';

const transportsOf = (what: 'files' | 'readings'): readonly TransportName[] =>
  TRANSPORT_NAMES.filter((name) => TRANSPORT_KINDS[name].brings.includes(what));
/** Files come by any of these (docs/reference/acquisition.md#transports). */
const FILE_TRANSPORTS = transportsOf('files');

const row = (
  name: string,
  kind: NodeKind,
  attributes: Attributes,
  specials: readonly SpecialAttribute[] = [],
  more: Partial<Pick<NodeClass, 'family' | 'transports' | 'isComputed' | 'checkTogether'>> = {},
): NodeClass => ({
  name,
  kind,
  attributes: { ...METADATA, ...(!isRoot({ kind }) && OVERRIDES), ...attributes },
  specials,
  alarms: alarmTypesOf(name),
  transports: [],
  ...more,
});

/** Loggers call, are called, or send to a station number; some come by file (docs/reference/sources.md#kinds). */
const LOGGER_TRANSPORTS = transportsOf('readings');

const dataSources = (): NodeClass[] => {
  const source = (name: string, attributes: Attributes, transports: readonly TransportName[]) =>
    row(`source.data.${name}`, 'source', attributes, ['transport', 'alarms'], { transports });
  return [
    source('TextParser', TEXT_PARSER_SOURCE, FILE_TRANSPORTS),
    source('Jts', JTS_SOURCE, [...FILE_TRANSPORTS, 'LorawanUpload']),
    source('Converter', CONVERTER, FILE_TRANSPORTS),
    source('CampbellPakBus', PAK_BUS, LOGGER_TRANSPORTS),
    source('WaterLog', LOGGER, LOGGER_TRANSPORTS),
    source('SensorLog', LOGGER, LOGGER_TRANSPORTS),
    source('Waspmote', LOGGER, [...LOGGER_TRANSPORTS, 'Meshlium']),
    source('OttNetDl', LOGGER, [...LOGGER_TRANSPORTS, 'FtpUpload']),
    source('Modbus', MODBUS, ['None', 'TcpClient']),
  ];
};

type ParameterMore = Pick<NodeClass, 'isComputed' | 'checkTogether'>;
const CONTROL: ParameterMore = { checkTogether: checkControl };
const COMPUTED: ParameterMore = { isComputed: true };

const parameter = (name: string, family: ValueFamily, attributes: Attributes, more: ParameterMore = {}): NodeClass =>
  row(
    name,
    'parameter',
    attributes,
    [...(family === 'TIME' ? [] : ['states' as const]), 'chart', 'isPublic', 'alarms'],
    {
      family,
      ...more,
    },
  );

const CLASSES: readonly NodeClass[] = [
  row('Workspace', 'workspace', WORKSPACE),
  row('Templates', 'templates', {}),
  row('Group', 'group', {}),
  row('location.Location', 'location', LOCATION, ['alarms'], { family: 'COORDINATES' }),
  ...dataSources(),
  row('source.data.Processor', 'processor', { ...PROCESSOR_SOURCE, ...PROCESSOR }, ['transport', 'alarms'], {
    transports: ['None'],
    checkTogether: checkProcessor,
  }),
  row('source.attachment.AttachmentSource', 'attachmentSource', ATTACHMENT_SOURCE, ['transport', 'alarms'], {
    transports: ['None', 'Email', 'FtpUpload', 'SftpUpload', 'HttpUpload'],
  }),
  row('Attachment', 'attachment', ATTACHMENT, ['isPublic']),
  parameter('point.NumberPoint', 'NUMBER', NUMBER_POINT),
  parameter('point.TextPoint', 'TEXT', TEXT_POINT),
  parameter('point.TimePoint', 'TIME', TIME_POINT),
  parameter('point.NumberControlPoint', 'NUMBER', { ...NUMBER_POINT, ...NUMBER_CONTROL }, CONTROL),
  parameter('point.TextControlPoint', 'TEXT', { ...TEXT_POINT, ...TEXT_CONTROL }, CONTROL),
  parameter('point.TimeControlPoint', 'TIME', { ...TIME_POINT, ...TIME_CONTROL }, CONTROL),
  parameter('point.NumberProcessPoint', 'NUMBER', { ...NUMBER_POINT, ...PROCESS_PARAMETER }, COMPUTED),
  parameter('point.TextProcessPoint', 'TEXT', { ...TEXT_POINT, ...PROCESS_PARAMETER }, COMPUTED),
  parameter('point.TimeProcessPoint', 'TIME', { ...TIME_POINT, ...PROCESS_PARAMETER }, COMPUTED),
  parameter('point.NumberRatingPoint', 'NUMBER', { ...NUMBER_POINT, ...RATING }, COMPUTED),
  row('chart.HistoricChart', 'chart', HISTORIC_CHART, ['isPublic'], { checkTogether: checkHistoricChart }),
  row('chart.WindRoseChart', 'chart', WIND_ROSE, ['isPublic'], { checkTogether: checkWindRose }),
  row('chart.DisplacementChart', 'chart', DISPLACEMENT, ['isPublic'], { checkTogether: checkDisplacement }),
  row('Dashboard', 'dashboard', DASHBOARD, ['isPublic']),
  row('Report', 'report', REPORT, ['isPublic']),
];

const BY_NAME = new Map(CLASSES.map((cls) => [cls.name, cls]));

/** Class of a stored node. */
export function nodeClass(name: string): NodeClass {
  const found = BY_NAME.get(name);
  if (!found) throw new Error(`stored node of unknown class ${name}`);
  return found;
}

export const ALL_CLASSES: readonly NodeClass[] = CLASSES;

/** Class of a node to be made. @throws DomainError invalid_argument naming the classes that exist */
export function classToCreate(full: unknown, names: ClassNames): NodeClass {
  const found = BY_NAME.get(names.stored(full) ?? '');
  if (found?.kind === 'attachment')
    throw invalid('INVALID_CLASS', '_class: attachments are made of their files, by POST /nodes/:id/attachments');
  if (found) return found;
  const known = CLASSES.filter(({ kind }) => kind !== 'attachment')
    .map(({ name }) => names.full(name))
    .join(', ');
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

/** Returns whether a body may set the attribute on nodes of this class. Time and Location refuse states themselves. */
export function isUpdatable(cls: NodeClass, attribute: string): boolean {
  if (attribute === 'controlValue') return isControl(cls);
  if (attribute === 'name' || attribute === 'customId') return true;
  if ((STATE_ATTRIBUTES as readonly string[]).includes(attribute)) return cls.family !== undefined;
  return attribute in cls.attributes || (cls.specials as readonly string[]).includes(attribute);
}
