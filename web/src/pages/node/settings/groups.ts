import { CHART_SETTINGS, type ChartSetting, chartTypeOf } from '@catchment/chart-settings';
import type { Document } from '../../../ui/form/draft.ts';
import type { Field } from '../../../ui/form/schema.ts';
import { hasProgram, hasRating, isProgram } from '../has-program.ts';

export type GroupName = 'general' | 'data' | 'acquisition' | 'states' | 'display' | 'other';

const GROUPS: Readonly<Record<Exclude<GroupName, 'other'>, readonly string[]>> = {
  general: ['name', 'description', 'customId', 'isEnabled', 'isPublic', 'metadata'],
  data: [
    'units',
    'format',
    'displayType',
    'multiplier',
    'offset',
    'equation',
    'isDirection',
    'series',
    'controlValue',
    'controlValueRestriction',
    'controlValueMinimum',
    'controlValueMaximum',
    'rating',
    'process',
    'coordinateSourceId',
    'coordinateSeries',
  ],
  acquisition: [
    'scheduleType',
    'intervalSeconds',
    'intervalOffsetSeconds',
    'quietMaxSeconds',
    'timezone',
    'timezoneAdjustForDst',
    'transport',
    'parser',
    'files',
    'registers',
    'writeMode',
    'readMode',
    'initialCollection',
    'retryAttempts',
    'retryDelaySeconds',
    'deleteAfterAcquire',
    'clockSync',
    'maxAttachments',
    'removeAfterDays',
    'fileTypes',
  ],
  states: ['statesType', 'states', 'hysteresis', 'alarms'],
  display: [
    'chart',
    'marker',
    'imageSourceId',
    'imageAttachmentId',
    'mapLayers',
    // A chart says what is drawn, of when, and how.
    'links',
    'speedNodeId',
    'directionNodeId',
    'measurementLinks',
    'profileType',
    'profileLinks',
    'profileValues',
    'start',
    'increment',
    'profileOffset',
    'profileUnits',
    'measurementOffset',
    'measurementUnits',
    'startRange',
    'endRange',
    'maxSeries',
    'seriesTimeFormat',
    'baseline',
    'baselineTime',
    'aggregation',
    'xAxis',
    'yAxes',
    'yAxis',
    'orientation',
    'thresholds',
    'colors',
    'lineType',
    'lineWidth',
    'lineStyle',
    'markerType',
    'markerSize',
    'shadow',
    'legendTitle',
    'speedUnits',
    'calmThreshold',
    'rangeColors',
    'speedRanges',
  ],
};
/** EDIT_ALARMS alone may change these (docs/reference/people-and-security.md). */
export const ALARM_GROUP: GroupName = 'states';

type OfClass = { readonly _class: string };

/** Returns whether an attribute is set elsewhere: the tree moves nodes; code and ratings have parts of the page of their own. */
export function isElsewhere(name: string, node: OfClass): boolean {
  switch (name) {
    case '_class':
    case 'parentId':
      return true;
    case 'process':
      return isProgram(node);
    case 'rating':
      return hasRating(node);
    case 'sharedCode':
      return hasProgram(node);
    default:
      return false;
  }
}

/** Groups the attributes of a class, each group in its order; what nobody has put anywhere comes last. */
export function grouped(
  fields: readonly Field[],
): readonly { readonly group: GroupName; readonly fields: readonly Field[] }[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const known = (names: readonly string[]) =>
    names.flatMap((name) => {
      const field = byName.get(name);
      byName.delete(name);
      return field ?? [];
    });
  const groups = Object.entries(GROUPS).map(([group, names]) => ({ group: group as GroupName, fields: known(names) }));
  return [...groups, { group: 'other' as const, fields: [...byName.values()] }].filter(
    ({ fields: some }) => some.length > 0,
  );
}

/** Returns whether an attribute means something beside what is chosen in the others of its object. */
export function isShown(path: string, siblings: Document): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const { notify, mode, period, type, aggregate, range, scheduleType } = siblings;
  const { controlValueRestriction, statesType, _class } = siblings;
  switch (name) {
    case '_id':
    case 'parentId':
      return false;
    case 'categoryId':
      return typeof notify === 'string' && notify !== 'NEVER';
    case 'controlValueMinimum':
    case 'controlValueMaximum':
      return controlValueRestriction === 'RANGE';
    case 'intervalSeconds':
    case 'intervalOffsetSeconds':
      return scheduleType === 'SERVER';
    case 'quietMaxSeconds':
      return scheduleType !== 'SERVER';
    case 'hysteresis':
      return statesType !== 'DISCRETE';
    case 'period':
    case 'intervalInclude':
      return !path.includes('aggregation') || mode === 'CUSTOM';
    case 'interval':
    case 'baseTime':
      return !path.includes('aggregation') || (mode === 'CUSTOM' && period === 'FIXED');
    case 'percentile':
      return type === 'PERCENTILE' || aggregate === 'PERCENTILE';
    case 'type':
      return !path.endsWith('aggregation.type') || mode === 'CUSTOM';
    case 'minimum':
    case 'maximum':
      return !/^(?:[xy]Axis|yAxes)\b/.test(path) || range === 'LINEAR_FIXED';
    default:
      return isOfChart(name, path, _class);
  }
}

const SETTINGS: Readonly<Record<string, ChartSetting>> = CHART_SETTINGS;

/** Returns false for a setting that only charts of the other type have. The type of a link may be left to its parameter. */
function isOfChart(name: string, path: string, chart: unknown): boolean {
  const { only }: Partial<ChartSetting> = Object.hasOwn(SETTINGS, name) ? SETTINGS[name]! : {};
  const type = String(chart).replace(/^.*\./, '');
  return only === undefined || (path.startsWith('links') && !chart) || only === chartTypeOf(type);
}
