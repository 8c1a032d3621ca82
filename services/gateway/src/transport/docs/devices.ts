import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ATTR, FILE_HAND_OVER, PAGED_LIST } from '@catchment/query';
import { json, operation, UNCHANGED } from './parts.ts';

const tag = 'Devices';
const DEVICE = { $ref: 'Device#' };
const { deviceKey, phoneNumber, secret, config } = API_SCHEMAS.device;
const CONFIG = { ...config, description: 'ScoutDevice only.' };

export const listDevices = operation({
  id: 'listDevices',
  tag,
  summary: 'List devices',
  query: PAGED_LIST,
  success: json(200, 'The devices.', { type: 'array', items: DEVICE }),
  others: UNCHANGED,
});

const SECRET = { ...secret, writeOnly: true };
const PHONE = { ...phoneNumber, examples: ['+4512345678'] };

export const createDevice = operation({
  id: 'createDevice',
  tag,
  summary: 'Register a device',
  description:
    'An IMEI is unique in the account only, since nobody can prove to own one: other accounts may have registered it too, and no answer tells whether they have. The secret decides whose modem it is, and the modem sends it when it identifies itself. **The answer shows a secret that was made here this once.** A modem without a secret goes to the first registration of its key that has none.',
  body: {
    type: 'object',
    additionalProperties: true,
    properties: {
      _class: { type: 'string' },
      deviceKey: {
        ...deviceKey,
        description:
          'IMEI, unique in the account; left out = a number of 12 digits is made, unique in the installation.',
      },
      workspaceId: { type: 'string' },
      phoneNumber: PHONE,
      secret: { ...SECRET, description: 'Left out = one is made; null = the device has none.' },
      config: CONFIG,
    },
    examples: [{ _class: 'io.svc.models.device.ScoutDevice', workspaceId: '53eada0ada91110000000046' }],
  },
  success: json(201, 'The new device, with its `secret` when that was made here.', DEVICE),
  extension: true,
});

export const updateDevice = operation({
  id: 'updateDevice',
  tag,
  summary: 'Change a device',
  description:
    'What is left out stays. When the secret changes, a connected modem is disconnected and must identify itself with the new one. Secrets given back as they are shown (`********`) stay.',
  withId: 'The `_id` of the device.',
  body: {
    type: 'object',
    additionalProperties: true,
    properties: {
      phoneNumber: PHONE,
      secret: {
        ...SECRET,
        description:
          'null = none from now on: modems without a secret go to registrations of the key first that had none before.',
      },
      config: { ...CONFIG, description: 'ScoutDevice only. What is left out stays; null = the defaults.' },
    },
    examples: [{ secret: 'correct horse battery staple' }],
  },
  success: json(200, 'The device.', DEVICE),
  extension: true,
});

export const getDevice = operation({
  id: 'getDevice',
  tag,
  summary: 'Get a device',
  withId: true,
  query: ATTR,
  success: json(200, 'The device.', DEVICE),
  others: UNCHANGED,
});

const COUNT = { type: 'integer' };

export const receiveFile = operation({
  id: 'receiveFile',
  tag: 'Historic data',
  summary: 'Hand a file to a data source of delimited text',
  description:
    'For sources of class `source.data.TextParser`: the file is read as `parser` says (or the entry of `files` that its name matches), in the zone of the source; without a `parser`, delimiter, header (also of TOA5 and USGS RDB), times and types are taken from the file. All lines that can be read are written in the `writeMode` of the source, as of the source itself (user System); parameters that are missing are made. The body is the file itself, of any media type, streamed, at most 100 MB. `.gz` and `.zip` are unpacked, at most 250 MB in all; each member of a `.zip` is matched by its own name, and is a file of its own. 202: the file is kept, and its records reach the log whatever becomes of the servers; `state` says whether they have already, which is waited for up to 20 s. 400, and no record written, when no line can be read. What cannot be read, and fewer lines than `parser.successRequired` percent, raise the dataAlarm of the source.',
  withId: true,
  query: FILE_HAND_OVER,
  consumes: 'text/csv',
  body: { type: 'string', description: 'The file.' },
  success: json(202, 'The file is kept.', {
    type: 'object',
    properties: {
      status: { type: 'object', properties: { code: COUNT, message: { type: 'string' } } },
      file: {
        type: 'object',
        properties: {
          state: {
            enum: ['PROCESSED', 'PROCESSING'],
            description: 'PROCESSED: its records are in the log. PROCESSING: they will be; there are no counts yet.',
          },
          files: { ...COUNT, description: 'Members of an archive that were read; otherwise 1.' },
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
