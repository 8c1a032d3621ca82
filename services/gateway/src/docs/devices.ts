import { ATTR, FILTER, json, operation, SKIP, SORT, whole } from './parts.ts';

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
