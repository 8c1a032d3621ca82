import { ATTR, FILTER, json, operation, SKIP, SORT, text, whole } from './parts.ts';

const tag = 'Devices';
const DEVICE = { $ref: 'Device#' };

export const listDevices = operation({
  id: 'listDevices',
  tag,
  summary: 'List devices',
  query: [
    ATTR,
    FILTER,
    SORT,
    whole('limit', 'At most this many.', { minimum: 0, maximum: 50_000, default: 50_000 }),
    SKIP,
  ],
  success: json(200, 'The devices.', { type: 'array', items: DEVICE }),
});

export const createDevice = operation({
  id: 'createDevice',
  tag,
  summary: 'Register a device',
  body: {
    type: 'object',
    additionalProperties: true,
    properties: {
      _class: { type: 'string' },
      deviceKey: { type: 'string', description: 'IMEI; left out = a number is made.' },
      workspaceId: { type: 'string' },
    },
    examples: [{ _class: 'io.svc.models.device.ScoutDevice', workspaceId: '53eada0ada91110000000046' }],
  },
  success: json(201, 'The new device.', DEVICE),
  extension: true,
});

export const getDevice = operation({
  id: 'getDevice',
  tag,
  summary: 'Get a device',
  withId: true,
  query: [ATTR],
  success: json(200, 'The device.', DEVICE),
});

const COUNT = { type: 'integer' };

export const receiveFile = operation({
  id: 'receiveFile',
  tag: 'Historic data',
  summary: 'Hand a file to a data source of delimited text',
  description:
    'For sources of class `source.data.TextParser`: the file is read as `parser` says (or the entry of `files` that its name matches), in the zone of the source; without a `parser`, delimiter, header (also of TOA5 and USGS RDB), times and types are taken from the file. All lines that can be read are written in the `writeMode` of the source; parameters that are missing are made. 400, and nothing changed, when no line can be read. The body is the file itself, of any media type, at most 5 MiB; gzip of at most 64 MiB of text is understood. Larger files: `catchment import`.',
  withId: true,
  query: [text('name', 'Name of the file, for events and for `files` of the source.', { example: 'station-7.csv' })],
  consumes: 'text/csv',
  body: { type: 'string', description: 'The file.' },
  success: json(202, 'Its records are in the log.', {
    type: 'object',
    properties: {
      status: { type: 'object', properties: { code: COUNT, message: { type: 'string' } } },
      file: {
        type: 'object',
        properties: {
          lines: { ...COUNT, description: 'With data.' },
          parsed: { ...COUNT, description: 'Lines that were read.' },
          records: { ...COUNT, description: 'Lines with at least one value.' },
          series: COUNT,
          unreadableFields: { ...COUNT, description: 'Of lines that were read.' },
          firstFailure: {
            type: ['string', 'null'],
            description: 'The first line or field that was not read, and why.',
            examples: ["line 12, column 3: 'x' cannot be read"],
          },
        },
      },
    },
  }),
  extension: true,
});
