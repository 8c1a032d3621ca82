import { PAGE_PREVIEW } from '@catchment/query';
import { json, operation } from '../openapi/parts.ts';

const TEXT = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const NUMBER_OR_NULL = { type: ['number', 'null'] };
const WHOLE = { type: 'integer' };
const FLAG = { type: 'boolean' };
const TIME = { type: 'string', format: 'date-time' };
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };

type Properties = Readonly<Record<string, object>>;
const whole = (properties: Properties, maybe: Properties = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...maybe },
});
const list = (items: object) => ({ type: 'array', items });
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const of = (type: string, properties: Properties, maybe: Properties = {}) =>
  whole({ type: { type: 'string', enum: [type] }, ...properties }, maybe);

/** `ParameterView` of @catchment/dashboard-view. */
const PARAMETER = whole({
  name: TEXT,
  value: { ...TEXT, description: 'As it is shown, without units.' },
  units: TEXT,
  number: NUMBER_OR_NULL,
  state: orNull(whole({ name: TEXT, isAlarm: FLAG })),
  changePercent: NUMBER_OR_NULL,
  change: NUMBER_OR_NULL,
  time: TIME_OR_NULL,
});
const SERIES = whole({
  name: TEXT,
  units: TEXT,
  color: TEXT,
  type: { type: 'string', enum: ['LINE', 'STEP', 'COLUMN'] },
  fill: FLAG,
  decimals: { type: ['integer', 'null'] },
});

/** `TileContent` of @catchment/dashboard-view, by type. */
const CONTENT = {
  anyOf: [
    of('VALUE', { parameter: orNull(PARAMETER) }, { control: whole({ nodeId: TEXT }) }),
    of('VALUE_LIST', { parameters: list(orNull(PARAMETER)) }),
    of('HISTORIC_TABLE', { period: TEXT, dataUrl: TEXT, revision: TEXT }),
    of('STANDARD_CHART', { period: TEXT, zoom: FLAG, series: list(orNull(SERIES)), dataUrl: TEXT, revision: TEXT }),
    of('CUSTOM_CHART', { name: TEXT, imageUrl: TEXT_OR_NULL, revision: TEXT }),
    of('ALARM_SUMMARY', {
      name: TEXT_OR_NULL,
      period: TEXT,
      counts: list(whole({ eventType: TEXT, count: WHOLE })),
    }),
    of('LOCATION_MAP', {
      name: TEXT_OR_NULL,
      position: orNull(whole({ latitude: { type: 'number' }, longitude: { type: 'number' } })),
      zoom: WHOLE,
      mapStyle: TEXT_OR_NULL,
      marker: whole({ color: TEXT_OR_NULL, icon: TEXT_OR_NULL }),
      layers: list(whole({ label: TEXT, url: TEXT })),
      imageUrl: TEXT_OR_NULL,
    }),
    of('ATTACHMENT_IMAGE', { name: TEXT_OR_NULL, imageUrl: TEXT_OR_NULL, time: TIME_OR_NULL }),
    of('SOLID_GAUGE', {
      parameter: orNull(PARAMETER),
      minimum: { type: 'number' },
      maximum: { type: 'number' },
      shape: TEXT,
    }),
    of('STATIC_TEXT', { text: TEXT }),
  ],
};

const TILE = whole({
  id: TEXT,
  label: TEXT,
  x: WHOLE,
  y: WHOLE,
  w: WHOLE,
  h: WHOLE,
  style: TEXT,
  alarm: { type: ['string', 'null'], enum: ['ACTIVE', 'ACKNOWLEDGED', null] },
  content: CONTENT,
});

const VIEW = whole(
  {
    name: TEXT,
    description: TEXT,
    account: whole({ name: TEXT, logoUrl: TEXT_OR_NULL }),
    timezone: TEXT,
    adjustForDst: FLAG,
    generatedTime: TIME,
    mapTiles: orNull(whole({ url: TEXT, attribution: TEXT })),
    tiles: { ...list(TILE), description: 'In the order of rows.' },
  },
  { ownTimezone: TEXT },
);

const LINES = whole({
  start: { type: 'number', description: 'Unix ms.' },
  end: { type: 'number' },
  series: list(
    whole({
      times: { ...list({ type: 'number' }), description: 'Unix ms.' },
      values: { ...list(NUMBER_OR_NULL), description: 'Null is a gap.' },
      gapMs: { ...NUMBER_OR_NULL, description: 'The longest step over which a line is drawn.' },
    }),
  ),
});
const ROWS = whole({
  columns: list(whole({ name: TEXT, units: TEXT }, { isNumber: FLAG })),
  rows: { ...list(whole({ time: TEXT, cells: list(TEXT) })), description: 'Newest first.' },
  hasMore: FLAG,
});
const PICTURE = whole({ svg: TEXT });

export const previewPage = operation({
  id: 'previewPage',
  tag: 'Nodes',
  summary: 'See a dashboard as it would be',
  description:
    'With attributes that are not saved, such as `tiles`, as `PUT /nodes/{id}` takes them, and what they would be refused for. Needs MODIFY and, of people, CONFIGURE. Nothing is changed.',
  withId: true,
  query: PAGE_PREVIEW,
  body: {
    allOf: [{ $ref: 'NodeAttributes#' }],
    examples: [{ tiles: [{ type: 'STATIC_TEXT', x: 0, y: 0, w: 3, h: 2, config: { content: 'Low water' } }] }],
  },
  success: json(
    200,
    'What the page would show, and of the tile that is asked for its lines, rows or picture.',
    whole({ view: VIEW, data: { anyOf: [LINES, ROWS, PICTURE, { type: 'null' }] } }),
  ),
});
