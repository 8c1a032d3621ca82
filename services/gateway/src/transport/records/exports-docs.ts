import { EXPORT_ARGUMENTS } from '@catchment/query';
import { binary, json, operation, UNCHANGED } from '../openapi/parts.ts';

const tag = 'Historic data';
const COUNT = { type: 'integer' };
const TEXT = { type: 'string' };
const EXPORT = {
  type: 'object',
  properties: {
    _id: TEXT,
    state: { enum: ['WAITING', 'RUNNING', 'DONE', 'FAILED'] },
    format: { enum: ['CSV', 'JTS'] },
    layout: { enum: ['FILE_PER_PARAMETER', 'INTERLEAVED'] },
    series: COUNT,
    seriesDone: COUNT,
    records: { ...COUNT, description: 'That were read.' },
    sizeBytes: { type: ['integer', 'null'], description: 'Of the file; null: there is none.' },
    failure: { type: ['string', 'null'], description: 'Why it failed.' },
    createdTime: TEXT,
    endedTime: { type: ['string', 'null'] },
    expiryTime: { type: ['string', 'null'], description: 'Until when the file is kept: 12 hours.' },
  },
};
const ID = 'The `_id` of the export.';
const extension = true;

export const createExport = operation({
  id: 'createExport',
  tag,
  summary: 'Export records as a file',
  description:
    'Makes a zip of one file for each parameter, or of one with all of them. Needs EXPORT_DATA. The export is made whatever becomes of the servers; `GET /exports/:id` shows how far it is, `GET /exports/:id/file` answers the file for 12 hours. At most 10 exports of an account are kept.',
  body: {
    type: 'object',
    required: ['nodes'],
    properties: {
      nodes: {
        type: 'array',
        maxItems: 500,
        items: TEXT,
        description:
          'Parameters, Locations, and data sources, which stand for their parameters; by `_id`, or `@` and the customId.',
      },
      format: { enum: ['CSV', 'JTS'] },
      layout: { enum: ['FILE_PER_PARAMETER', 'INTERLEAVED'], description: 'INTERLEAVED: at most 100 series.' },
      ...Object.fromEntries(EXPORT_ARGUMENTS.map((name) => [name, { ...TEXT, description: 'As of reads.' }])),
      startTime: { ...TEXT, description: 'As of reads; left out = from the first record.' },
      endTime: { ...TEXT, description: 'As of reads; left out = to the last record.' },
    },
    examples: [{ nodes: ['@station-7'], format: 'CSV', startTime: '2024-01-01T00:00:00Z', quality: 'SEPARATE_VALUE' }],
  },
  success: json(202, 'The export is kept, and will be made.', {
    type: 'object',
    properties: { status: { type: 'object', properties: { code: COUNT, message: TEXT } }, export: EXPORT },
  }),
  extension,
});

export const listExports = operation({
  id: 'listExports',
  tag,
  summary: 'List the exports of the user',
  success: json(200, 'The exports, newest first.', { type: 'array', items: EXPORT }),
  others: UNCHANGED,
  extension,
});

export const getExport = operation({
  id: 'getExport',
  tag,
  summary: 'Get an export',
  withId: ID,
  success: json(200, 'The export.', EXPORT),
  others: UNCHANGED,
  extension,
});

export const deleteExport = operation({
  id: 'deleteExport',
  tag,
  summary: 'Delete an export and its file',
  withId: ID,
  success: json(200, 'Nothing of it is left.', { $ref: 'Status#' }),
  extension,
});

export const getExportFile = operation({
  id: 'getExportFile',
  tag,
  summary: 'Get the file of an export',
  description: '400 while the export is not done.',
  withId: ID,
  success: binary('The zip file.', ['application/zip']),
  extension,
});
