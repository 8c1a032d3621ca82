import {
  CHART,
  CHART_MANY,
  CHART_PREVIEW,
  READING,
  READING_MANY,
  WRITE_STATE,
  WRITING,
  WRITING_MANY,
} from '@catchment/query';
import { binary, json, operation, RECORDS_FAILURE, WRITTEN } from '../openapi/parts.ts';
import { ANNOTATION, QUALITY } from './jts-components.ts';

const tag = 'Historic data';
const RECORDS = {
  status: 200,
  description: 'The records, or results of intervals, ascending.',
  content: {
    'application/json': { schema: { $ref: 'Jts#' } },
    'text/csv': { schema: { type: 'string' } },
    'application/vnd.apache.arrow.stream': { schema: { type: 'string', format: 'binary' } },
    'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
    'text/plain': { schema: { type: 'string' } },
    'application/xml': { schema: { type: 'string' } },
    'application/prs.coverage+json': { schema: { type: 'object' } },
  },
} as const;

export const readHistoric = operation({
  id: 'readHistoric',
  tag,
  summary: 'Read historic data',
  description:
    'Of a parameter or Location, as JTS (JSON), CSV, or in a format of others. Both bounds, or a limit, must be given.',
  withId: true,
  query: READING,
  success: RECORDS,
});

export const readMany = operation({
  id: 'readManyHistoric',
  tag,
  summary: 'Read historic data of several nodes',
  description:
    'Of parameters and Locations, as JTS (JSON), CSV, or in a format of others: entry n of `params` is column n, and rows are joined on equal times. Arguments of a column may be given for all, or in its entry: renderType, renderFormat, aggregate, percentile, baseTime, interval, intervalInclude, baselineType, reduce, width, maxPoints.',
  query: READING_MANY,
  success: RECORDS,
});

export const writeMany = (method: 'PUT' | 'POST') =>
  operation({
    id: method === 'PUT' ? 'writeManyHistoric' : 'postManyHistoric',
    tag,
    summary:
      method === 'PUT' ? 'Write historic data of several nodes' : 'Write historic data of several nodes (as PUT)',
    description:
      'To parameters and Locations. `params` names the node of each column; without it every column of the header has the id of its node. Everything is checked before anything is stored. 202 means that the records are in the log and cannot be lost.',
    query: WRITING_MANY,
    body: { $ref: 'Jts#' },
    success: WRITTEN,
  });

export const writeHistoric = (method: 'PUT' | 'POST') =>
  operation({
    id: method === 'PUT' ? 'writeHistoric' : 'postHistoric',
    tag,
    summary: method === 'PUT' ? 'Write historic data' : 'Write historic data (as PUT)',
    description:
      'To a parameter, a Location or a data source. On a data source the header names the columns, and parameters that are missing are created. 202 means that the records are in the log and cannot be lost.',
    withId: true,
    query: WRITING,
    body: { $ref: 'Jts#' },
    success: WRITTEN,
    others: RECORDS_FAILURE,
  });

export const deleteHistoric = operation({
  id: 'deleteHistoric',
  tag,
  summary: 'Delete all historic data of a node',
  withId: true,
  success: WRITTEN,
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
        quality: QUALITY,
        annotation: ANNOTATION,
        timestamp: { type: 'string', description: 'Default: time of the request.' },
      },
      examples: [{ value: 28.2, quality: 100 }],
    },
    success: WRITTEN,
  });

const IMAGE = binary('The image.', ['image/png', 'image/jpeg', 'image/svg+xml', 'application/pdf']);

export const chartOfMany = operation({
  id: 'renderChartOfMany',
  tag: 'Charts',
  summary: 'Draw a chart of several parameters',
  description:
    'Of up to 100 Number and Text parameters. Without startTime and endTime it shows the seven days before their newest record.',
  query: CHART_MANY,
  success: IMAGE,
});

export const chart = operation({
  id: 'renderChart',
  tag: 'Charts',
  summary: 'Draw a chart',
  description:
    'Of a Number or Text parameter, which needs startTime and endTime, or of a chart node, which has its own range and takes neither renderType nor arguments of aggregates.',
  withId: true,
  query: CHART,
  success: IMAGE,
});

export const previewChart = operation({
  id: 'previewChart',
  tag: 'Charts',
  summary: 'Draw a chart node as it would be',
  description:
    'With attributes that are not saved, as `PUT /nodes/{id}` takes them. Needs MODIFY and, of people, CONFIGURE. Nothing is changed.',
  withId: true,
  query: CHART_PREVIEW,
  body: { allOf: [{ $ref: 'NodeAttributes#' }], examples: [{ startRange: 'NOW-30D' }] },
  success: IMAGE,
});

export const getWrite = operation({
  id: 'getWrite',
  tag,
  summary: 'What has become of a write',
  description:
    'By `write` of the answer to a write of historic data. It is durable where the log has it, and readable where reads show it. With `wait` the answer comes when it is readable.',
  withId: '`write` of the answer',
  query: WRITE_STATE,
  success: json(200, 'How far the write is.', {
    type: 'object',
    required: ['durable', 'readable'],
    properties: { durable: { type: 'boolean' }, readable: { type: 'boolean' } },
  }),
  extension: true,
});
