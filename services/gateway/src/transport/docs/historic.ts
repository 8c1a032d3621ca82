import { ACCEPTED, ADJUST, binary, choice, operation, TIMEZONE, text, whole } from './parts.ts';

const tag = 'Historic data';
const YES_NO = ['TRUE', 'FALSE'];
const TIME = { example: '2024-08-16T00:00:00Z' };
const START = text('startTime', 'First instant, inclusive; ISO 8601 or OPC relative time.', TIME);
const END = text('endTime', 'Last instant, inclusive; ISO 8601 or OPC relative time.', TIME);
const SEPARATE = ['NONE', 'DELIMITED_WITH_VALUE', 'SEPARATE_VALUE'];
const RENDER_TYPE = choice(
  'renderType',
  ['VALUE', 'STATE'],
  '',
  'Values or names of states; default: the node’s displayType.',
);
const BASELINE = choice('baselineType', ['ABSOLUTE', 'RELATIVE'], 'ABSOLUTE', 'RELATIVE subtracts the first value.');
const AGGREGATES = [
  'NONE',
  'CHANGE',
  'INTERPOLATED',
  'AVERAGE',
  'MEDIAN',
  'TOTAL',
  'MIN',
  'MAX',
  'RANGE',
  'DELTA',
  'COUNT',
  'START',
  'END',
] as const;
const AGGREGATE = choice(
  'aggregate',
  AGGREGATES,
  'NONE',
  'NONE = raw records, CHANGE = those whose value differs from the one before; the others give one result per interval. Texts, times, coordinates and states have CHANGE, COUNT, START and END only.',
);
const INTERVALS = [
  text('baseTime', 'OPC time to which intervals are aligned; needed by aggregates of intervals.', { example: 'D' }),
  text('interval', 'OPC interval; needed by aggregates of intervals.', { example: '1H' }),
  choice('intervalInclude', ['PARTIAL', 'COMPLETE'], 'PARTIAL', 'Whether incomplete intervals are shown.'),
];

const READING = [
  choice('format', ['JSON', 'CSV'], 'JSON', 'Form of the answer.'),
  START,
  END,
  whole('limit', 'At most this many rows: the first from startTime on, or the last before endTime.', { minimum: 1 }),
  TIMEZONE,
  ADJUST,
  choice('timeQuery', ['RECORD', 'MODIFIED'], 'RECORD', 'Which time the bounds mean.'),
  text('timeFormat', 'Pattern of timestamps.', { example: 'YYYY-MM-DD HH:mm:ss' }),
  choice('header', YES_NO, 'TRUE', 'Whether the header is included.'),
  text('delimiter', 'CSV: between cells; `TAB` is understood.', { example: ',' }),
  text('textQualifier', 'CSV: around texts; empty = none.', { example: '"' }),
  choice('quality', SEPARATE, 'NONE', 'CSV: how quality codes are shown.'),
  text('qualityDelimiter', 'CSV: between value and quality.', { example: ':' }),
  text('qualityExcluded', 'Comma-separated from GOOD, BAD, UNCERTAIN, NONE.', { example: 'BAD' }),
  choice('annotation', SEPARATE, 'NONE', 'CSV: how annotations are shown.'),
  text('annotationDelimiter', 'CSV: between value and annotation.', { example: ';' }),
  text('renderFormat', 'Number or time pattern; empty = full resolution.', { example: '0.0' }),
  RENDER_TYPE,
  AGGREGATE,
  ...INTERVALS,
  BASELINE,
];
const RECORDS = {
  status: 200,
  description: 'The records, or results of intervals, ascending.',
  content: { 'application/json': { schema: { $ref: 'Jts#' } }, 'text/csv': { schema: { type: 'string' } } },
} as const;

export const readHistoric = operation({
  id: 'readHistoric',
  tag,
  summary: 'Read historic data',
  description: 'Of a parameter or Location, as JTS or CSV. Both bounds, or a limit, must be given.',
  withId: true,
  query: READING,
  success: RECORDS,
});

export const readMany = operation({
  id: 'readManyHistoric',
  tag,
  summary: 'Read historic data of several nodes',
  description:
    'Of parameters and Locations, as JTS or CSV: entry n of `params` is column n, and rows are joined on equal times. Arguments of a column may be given for all, or in its entry: renderType, renderFormat, aggregate, baseTime, interval, intervalInclude, baselineType.',
  query: [
    text('params', 'Required. Nodes and arguments of their own, at most 100.', {
      example: 'aaaaaaaaaaaaaaaaaaaaaaaa(aggregate:AVERAGE;baseTime:D;interval:1H),@rain',
    }),
    ...READING,
  ],
  success: RECORDS,
});

const WRITE_MODES = [
  'MERGE_OVERWRITE_EXISTING',
  'MERGE_PRESERVE_EXISTING',
  'MERGE_UPDATE_EXISTING',
  'MERGE_FAIL_ON_EXISTING',
  'INSERT_DELETE_EXISTING',
  'INSERT_FAIL_ON_EXISTING',
  'DELETE_RANGE',
  'DELETE',
  'DISCARD',
];
const WRITING = [
  choice('format', ['JSON'], 'JSON', 'Form of the body.'),
  choice('writeMode', WRITE_MODES, 'MERGE_OVERWRITE_EXISTING', 'What happens to records that exist.'),
  choice('notifyOn', ['LATEST_ONLY', 'ALL_NEWER', 'NONE'], 'LATEST_ONLY', 'Which records raise events and alarms.'),
];

export const writeMany = (method: 'PUT' | 'POST') =>
  operation({
    id: method === 'PUT' ? 'writeManyHistoric' : 'postManyHistoric',
    tag,
    summary:
      method === 'PUT' ? 'Write historic data of several nodes' : 'Write historic data of several nodes (as PUT)',
    description:
      'To parameters and Locations. `params` names the node of each column; without it every column of the header has the id of its node. Everything is checked before anything is stored. 202 means that the records are in the log and cannot be lost.',
    query: [
      text('params', 'Nodes and their columns, at most 100.', {
        example: 'aaaaaaaaaaaaaaaaaaaaaaaa(columnIndex:0),@rain(columnIndex:3)',
      }),
      ...WRITING,
      whole('columnIndex', 'Column of entries of params that name none.', { minimum: 0 }),
    ],
    body: { $ref: 'Jts#' },
    success: ACCEPTED,
  });

export const writeHistoric = (method: 'PUT' | 'POST') =>
  operation({
    id: method === 'PUT' ? 'writeHistoric' : 'postHistoric',
    tag,
    summary: method === 'PUT' ? 'Write historic data' : 'Write historic data (as PUT)',
    description:
      'To a parameter, a Location or a data source. On a data source the header names the columns, and parameters that are missing are created. 202 means that the records are in the log and cannot be lost.',
    withId: true,
    query: [
      ...WRITING,
      whole('columnIndex', 'Parameter or Location: the column meant for it.', { minimum: 0, default: 0 }),
    ],
    body: { $ref: 'Jts#' },
    success: ACCEPTED,
  });

export const deleteHistoric = operation({
  id: 'deleteHistoric',
  tag,
  summary: 'Delete all historic data of a node',
  withId: true,
  success: ACCEPTED,
});

export const writeNow = (method: 'PUT' | 'POST') =>
  operation({
    id: method === 'PUT' ? 'writeNow' : 'postNow',
    tag,
    summary: method === 'PUT' ? 'Write one record' : 'Write one record (as PUT)',
    withId: true,
    body: {
      type: 'object',
      description: 'At least one of value, quality and annotation.',
      properties: {
        value: { description: 'As in JTS.' },
        quality: { type: ['integer', 'null'], minimum: 0, maximum: 65535 },
        annotation: { type: ['string', 'null'], maxLength: 500 },
        timestamp: { type: 'string', description: 'Default: time of the request.' },
      },
      examples: [{ value: 28.2, quality: 100 }],
    },
    success: ACCEPTED,
  });

const CHART_AGGREGATE = choice(
  'aggregate',
  AGGREGATES,
  '',
  'NONE = raw records; others as in a read of historic data. Default: the parameter’s chart settings, which are, unless changed: raw up to 1200 records, otherwise INTERPOLATED (states and texts: START) in the shortest intervals of which the range has at most 1200.',
);

export const chart = operation({
  id: 'renderChart',
  tag: 'Charts',
  summary: 'Draw a chart',
  withId: true,
  query: [
    choice('format', ['PNG', 'JPG', 'SVG', 'PDF'], 'PNG', 'Kind of image.'),
    whole('width', 'Pixels.', { minimum: 100, maximum: 4000, default: 1200 }),
    whole('height', 'Pixels.', { minimum: 100, maximum: 4000, default: 800 }),
    text('scale', '1 to 4, fractions allowed: pixels per unit (PNG, JPG).', { example: '1' }),
    text('title', 'At most 200 characters.', { example: 'Air temperature' }),
    text('subtitle', 'At most 200 characters.', { example: 'Last week' }),
    START,
    END,
    TIMEZONE,
    ADJUST,
    RENDER_TYPE,
    CHART_AGGREGATE,
    ...INTERVALS,
    BASELINE,
  ],
  success: binary('The image.', ['image/png', 'image/jpeg', 'image/svg+xml', 'application/pdf']),
});
