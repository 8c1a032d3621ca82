import { AGGREGATES } from '@catchment/query';
import {
  type Fields,
  invalidAttribute,
  type JsonObject,
  type Rule,
  type RuleContext,
  readObject,
} from '../body/rule.ts';
import { choice, FLAG, lines, NUMBER, text, whole } from '../body/rules.ts';
import type { Attributes } from './attributes.ts';
import { PERCENTILE } from './chart.ts';
import { ANY_NODE, links } from './page-links.ts';

/** The grid is twelve columns wide. */
const COLUMNS = 12;
const MAX_TILES = 100;
const PERIOD: Rule = { kind: 'opcTime' };

type TileType = {
  readonly min: number;
  readonly max: number;
  /** Its links may name these nodes. */
  readonly target: RegExp;
  readonly what: string;
  readonly config: Fields;
};

const PARAMETER = { target: /^point\./, what: 'a parameter' };

/** See docs/reference/dashboards-and-reports.md#dashboard. */
const TILES: Readonly<Record<string, TileType>> = {
  VALUE: { ...PARAMETER, min: 1, max: 1, config: {} },
  VALUE_LIST: { ...PARAMETER, min: 1, max: 50, config: {} },
  HISTORIC_TABLE: {
    ...PARAMETER,
    min: 1,
    max: 15,
    config: {
      period: { rule: PERIOD, default: 'NOW-7D' },
      aggregate: { rule: choice(...AGGREGATES), default: 'NONE' },
      percentile: { rule: PERCENTILE },
      interval: { rule: { kind: 'opcPeriod' } },
    },
  },
  STANDARD_CHART: {
    ...PARAMETER,
    min: 1,
    max: 15,
    config: { period: { rule: PERIOD, default: 'NOW-7D' }, zoom: { rule: FLAG, default: true } },
  },
  CUSTOM_CHART: { target: /^chart\./, what: 'a chart', min: 1, max: 1, config: {} },
  ALARM_SUMMARY: {
    target: /^/,
    what: 'a node',
    min: 1,
    max: 1,
    config: { period: { rule: PERIOD, default: 'NOW-7D' } },
  },
  LOCATION_MAP: {
    target: /^location\./,
    what: 'a Location',
    min: 1,
    max: 1,
    config: { zoom: { rule: whole(0, 22), default: 12 }, mapStyle: { rule: text(60, 1) } },
  },
  ATTACHMENT_IMAGE: {
    target: /^(Attachment$|source\.attachment\.)/,
    what: 'an attachment or attachment source',
    min: 1,
    max: 1,
    config: {},
  },
  SOLID_GAUGE: {
    target: /^point\.Number/,
    what: 'a Number parameter',
    min: 1,
    max: 1,
    config: {
      minimum: { rule: NUMBER, default: 0 },
      maximum: { rule: NUMBER, default: 100 },
      shape: { rule: choice('FULL', 'HALF'), default: 'HALF' },
    },
  },
  STATIC_TEXT: {
    target: /^$/,
    what: 'nothing',
    min: 0,
    max: 0,
    config: { content: { rule: lines(10_000), default: '' } },
  },
};

const ANY_CONFIG: Rule = {
  kind: 'anyOf',
  rules: Object.values(TILES).map(({ config }) => ({ kind: 'object', fields: config })),
  rule: 'must be as the type of the tile',
};

type Tile = {
  readonly type: string;
  readonly x: number;
  readonly w: number;
  readonly links: readonly { readonly nodeId: string }[];
  readonly config: unknown;
} & JsonObject;

const TILE: Rule = {
  kind: 'checked',
  rule: {
    kind: 'object',
    fields: {
      _id: { rule: { kind: 'entryId' } },
      type: { required: true, rule: choice(...Object.keys(TILES)) },
      label: { rule: text(120), default: '' },
      x: { required: true, rule: whole(0, COLUMNS - 1) },
      y: { required: true, rule: whole(0, 999) },
      w: { required: true, rule: whole(1, COLUMNS) },
      h: { required: true, rule: whole(1, 100) },
      style: {
        rule: choice('default', 'white', 'blue', 'green', 'purple', 'mauve', 'pink', 'black'),
        default: 'default',
      },
      showAlarms: { rule: FLAG, default: false },
      links: { rule: links({ target: ANY_NODE, max: 50 }), default: [] },
      config: { rule: { kind: 'raw', of: ANY_CONFIG }, default: {} },
    },
  },
  check: (tile: Tile, at, context) => checkTile(tile, at, context),
};

function checkTile(tile: Tile, at: string, context: RuleContext): JsonObject {
  const type = TILES[tile.type]!;
  if (tile.x + tile.w > COLUMNS)
    throw invalidAttribute(`${at}.w`, `must end within the ${COLUMNS} columns of the grid`);
  const { min, max } = type;
  if (tile.links.length < min || tile.links.length > max)
    throw invalidAttribute(`${at}.links`, `must have ${min === max ? min : `${min} to ${max}`} entries`);
  for (const [i, { nodeId }] of tile.links.entries()) {
    const target = context.findNode(nodeId);
    // A broken link keeps its tile.
    if (target && !type.target.test(target.class))
      throw invalidAttribute(`${at}.links[${i}].nodeId`, `must be the id of ${type.what}`);
  }
  const config = readObject(type.config, tile.config, `${at}.config`, context) as {
    minimum?: number;
    maximum?: number;
    aggregate?: string;
    percentile?: number | null;
  };
  if (config.aggregate === 'PERCENTILE' && typeof config.percentile !== 'number')
    throw invalidAttribute(`${at}.config.percentile`, 'is required when aggregate is PERCENTILE');
  if (config.minimum !== undefined && config.minimum >= config.maximum!)
    throw invalidAttribute(`${at}.config.maximum`, 'must be above minimum');
  return { ...tile, config };
}

export const DASHBOARD: Attributes = {
  description: { default: '', rule: lines(500) },
  tiles: { default: [], rule: { kind: 'list', max: MAX_TILES, item: TILE, uniqueBy: '_id' } },
};
