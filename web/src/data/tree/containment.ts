import { shortClass } from '../nodes/classes.ts';

/** These kinds of nodes decide which may lie in which (docs/reference/node-tree.md#containment). */
type Kind = 'account' | 'templates' | 'workspace' | 'group' | 'location' | 'source' | 'files' | 'parameter' | 'leaf';

/** A person may create these classes, as the API names them after `models.node.`; each has the word that it is found by. */
const CREATABLE = {
  workspace: ['Workspace'],
  group: ['Group'],
  location: ['location.Location'],
  source: [
    'source.data.TextParser',
    'source.data.Jts',
    'source.data.Converter',
    'source.data.CampbellPakBus',
    'source.data.WaterLog',
    'source.data.SensorLog',
    'source.data.Waspmote',
    'source.data.OttNetDl',
    'source.data.Modbus',
    'source.data.Processor',
    'source.attachment.AttachmentSource',
  ],
  page: ['Dashboard', 'Report', 'chart.HistoricChart', 'chart.WindRoseChart', 'chart.DisplacementChart'],
  parameter: [
    'point.NumberPoint',
    'point.TextPoint',
    'point.TimePoint',
    'point.NumberControlPoint',
    'point.TextControlPoint',
    'point.TimeControlPoint',
    'point.NumberProcessPoint',
    'point.TextProcessPoint',
    'point.TimeProcessPoint',
    'point.NumberRatingPoint',
  ],
} as const;

function kindOf(name: string): Kind {
  if (/\.source\.data\./.test(name)) return 'source';
  if (/\.source\.attachment\./.test(name)) return 'files';
  if (/\.point\./.test(name)) return 'parameter';
  const short = shortClass(name);
  if (short === 'Templates') return 'templates';
  if (short === 'Workspace') return 'workspace';
  if (short === 'Group') return 'group';
  return short === 'Location' ? 'location' : 'leaf';
}

const { group, location, source, page, parameter } = CREATABLE;
const INSIDE: Readonly<Record<Kind, readonly string[]>> = {
  account: CREATABLE.workspace,
  templates: [...group, ...location],
  workspace: [...location, ...group, ...page],
  // The server knows if a Location lies above, which decides between Locations and sources.
  group: [...location, ...group, ...source, ...page],
  location: [...source, ...group, ...page],
  source: parameter,
  files: [],
  parameter: [],
  leaf: [],
};

/** Lists what may be created in a node, or in the account (undefined). `isInLocation` where it is known. */
export function creatableIn(parentClass: string | undefined, isInLocation?: boolean): readonly string[] {
  const kind = parentClass === undefined ? 'account' : kindOf(parentClass);
  const all = INSIDE[kind];
  if (kind !== 'group' || isInLocation === undefined) return all;
  const without: readonly string[] = isInLocation ? location : source;
  return all.filter((name) => !without.includes(name));
}

/** Returns whether a node may be moved or copied into another one, as far as its class decides. */
export function mayLieIn(childClass: string, parentClass: string): boolean {
  const name = childClass.slice(childClass.indexOf('.node.') + '.node.'.length);
  if (shortClass(childClass) === 'Attachment')
    return ['workspace', 'group', 'location', 'files'].includes(kindOf(parentClass));
  return INSIDE[kindOf(parentClass)].includes(name);
}

/** Returns whether nodes of a class can have children at all. */
export const isContainer = (name: string): boolean => !['parameter', 'leaf'].includes(kindOf(name));
